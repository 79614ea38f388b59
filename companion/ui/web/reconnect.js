// A live page whose socket was cut (a phone that slept, a walk out of the Wi-Fi) is never painted again by this
// version of the framework, although the session goes on. So the page is loaded anew when its socket opens for the
// second time: what it shows then is the true state, because that is kept on the server.
(() => {
  const Socket = window.WebSocket;
  let opened = 0;
  window.WebSocket = class extends Socket {
    constructor(address, ...rest) {
      super(address, ...rest);
      if (new URL(address, location.href).pathname.endsWith('/ws')) {
        this.addEventListener('open', () => {
          opened += 1;
          if (opened > 1) location.reload();
        });
      }
    }
  };
})();
