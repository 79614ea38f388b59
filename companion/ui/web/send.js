// Sends one file, shows how far it is, waits until the server has dealt with it, and goes back to the game.
(() => {
  const main = document.querySelector('main');
  const words = main.dataset;
  const status = document.getElementById('status');
  const bar = document.getElementById('bar');
  const picture = document.getElementById('picture');
  const again = document.getElementById('again');
  const inputs = document.querySelectorAll('input[type=file]');
  let last = null;

  const show = (sentence, bad = false) => {
    status.textContent = sentence;
    status.classList.toggle('bad', bad);
    if (bad) bar.hidden = true;
  };
  const busy = (on) => inputs.forEach((input) => { input.disabled = on; });
  const failed = (sentence, retry) => {
    show(sentence, true);
    busy(false);
    again.hidden = !retry;
  };
  const back = () => location.replace(words.back);

  const watch = async (address) => {
    for (;;) {
      let answer;
      try {
        answer = await (await fetch(address)).json();
      } catch {
        failed(words.lost, true);
        return;
      }
      if (answer.error) { failed(answer.error, false); return; }
      show(answer.sentence);
      if (answer.over) { back(); return; }
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  };

  const send = (file) => {
    last = file;
    again.hidden = true;
    if (file.size > Number(words.most)) { failed(words.tooBig, false); return; }
    busy(true);
    bar.hidden = false;
    bar.removeAttribute('value');
    show(words.sending);
    if (picture) {
      picture.hidden = true;
      picture.onload = () => { picture.hidden = false; };
      picture.src = URL.createObjectURL(file);
    }
    const request = new XMLHttpRequest();
    request.open('POST', words.send);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.upload.onprogress = (event) => { if (event.lengthComputable) bar.value = event.loaded / event.total; };
    request.onerror = () => failed(words.lost, true);
    request.onload = () => {
      let answer = {};
      try { answer = JSON.parse(request.responseText); } catch { /* told below */ }
      if (answer.watch) { bar.removeAttribute('value'); watch(answer.watch); }
      else if (answer.sentence) { bar.hidden = true; show(answer.sentence); busy(false); }
      else failed(answer.error || words.lost, request.status >= 500 || request.status === 429);
    };
    request.send(file);
  };

  inputs.forEach((input) => input.addEventListener('change', () => {
    if (input.files.length) send(input.files[0]);
    input.value = '';
  }));
  again.addEventListener('click', () => { if (last) send(last); });
})();
