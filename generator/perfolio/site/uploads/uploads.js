/* Profiles that are dropped or chosen on a page of `perfolio serve --upload`: sent to the server of
 * the page, which builds their report. Only that server gives out this script: no site holds it.
 *
 * The token with which a page may upload is in the address that the terminal shows, behind "#",
 * and from then on in the browser, for this server alone.
 */
(function () {
  "use strict";

  const PLACE = "/perfolio-uploads/";
  const KEPT = "perfolio-upload"; // in localStorage, which each port has for itself
  const BETWEEN = 700; // ms between two questions how far a build is
  const STAGES = { arriving: "uploading", waiting: "waiting for the build before it", building: "building" };
  const OPEN = new Set(Object.keys(STAGES));

  /** Keep the token of an address, and leave it out of the history. Whether there was one. */
  function takeToken() {
    const given = /^#upload=([\w-]+)$/.exec(location.hash);
    if (!given) return false;
    localStorage.setItem(KEPT, given[1]);
    history.replaceState(null, "", location.pathname + location.search);
    return true;
  }

  takeToken();
  addEventListener("hashchange", () => { if (takeToken()) location.reload(); });
  const token = localStorage.getItem(KEPT) || "";
  const mine = new Set(); // keys of what this page sent, which it opens
  const waiting = []; // what was dropped while an upload runs
  let sending = null; // the upload that runs: its name and share
  let asking = 0;

  /** An element with properties, and what is in it: names of files are text, and never markup. */
  function make(tag, properties, ...inner) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...inner);
    return made;
  }

  const status = make("p", { className: "pf-uploads-status" });
  status.setAttribute("role", "status");
  const list = make("ul", { className: "pf-uploads-list" });
  const files = make("input", { type: "file", multiple: true, hidden: true });
  const folder = make("input", { type: "file", hidden: true, webkitdirectory: true });
  const chooseFiles = make("button", { type: "button", textContent: "Choose files" });
  const chooseFolder = make("button", { type: "button", textContent: "Choose a folder" });
  const fold = make("button", { type: "button", className: "pf-uploads-fold", textContent: "Add a profile" });
  const lead = make("p", { textContent: "Drop a profile or the folder of a run anywhere on this page." });
  const panel = make("section", { className: "pf-uploads" },
    fold, lead, make("p", {}, chooseFiles, chooseFolder, files, folder), status, list);
  panel.setAttribute("aria-label", "Add a profile");
  const cover = make("div", { className: "pf-uploads-cover", hidden: true, textContent: "Drop to build a report" });

  function setFolded(folded) {
    panel.classList.toggle("pf-uploads-folded", folded);
    fold.setAttribute("aria-expanded", String(!folded));
    fold.textContent = folded ? "Add a profile" : "Hide";
  }

  /** Say a line, once: readers of the screen hear each change. */
  function tell(line) {
    if (status.textContent !== line) status.textContent = line;
  }

  async function ask(path, options = {}) {
    const answer = await fetch(PLACE + path, {
      ...options, headers: { "X-Perfolio-Token": token }, cache: "no-store",
    });
    if (!answer.ok) throw new Error((await answer.text()).trim() || `the server answered ${answer.status}`);
    return answer.json();
  }

  /** Send the bytes of all files, one after the other, as the server was told. */
  function send(key, dropped) {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open("PUT", PLACE + key);
      request.setRequestHeader("X-Perfolio-Token", token);
      request.upload.onprogress = (event) => {
        sending.share = event.total ? event.loaded / event.total : 0;
        show(sending.others);
      };
      request.onload = () =>
        request.status < 300 ? resolve() : reject(new Error(request.responseText.trim()));
      request.onerror = () => reject(new Error("the upload broke off: is the server still there, and the file?"));
      request.send(new Blob(dropped.map((one) => one.file), { type: "application/octet-stream" }));
    });
  }

  async function upload(dropped) {
    const names = [...new Set(dropped.map((one) => one.path.split("/")[0]))].join(", ");
    sending = { name: names, share: 0, others: [] };
    setFolded(false);
    tell(`Uploading ${names}`);
    try {
      const offer = dropped.map(({ path, file }) => ({ path, size: file.size }));
      const { key } = await ask("", { method: "POST", body: JSON.stringify(offer) });
      mine.add(key);
      sending.key = key;
      await send(key, dropped);
    } catch (error) {
      tell(`${names}: ${error.message}`);
    }
    sending = null;
    if (waiting.length) upload(waiting.shift());
    else watch();
  }

  function add(dropped) {
    const sent = dropped.filter((one) => !one.path.split("/").some((part) => part.startsWith(".")));
    if (!sent.length) return tell("There is no file in what was dropped.");
    if (sending) {
      waiting.push(sent);
      return tell("It is uploaded after the one before it.");
    }
    return upload(sent);
  }

  /** One line of the list. */
  function line(name, state, told, share) {
    const item = make("li", {}, make("span", { className: "pf-uploads-name", textContent: name }));
    item.dataset.state = state;
    item.append(make("div", { className: "pf-uploads-told" }, told));
    if (OPEN.has(state)) {
      const bar = make("progress", share === undefined ? {} : { value: share });
      bar.setAttribute("aria-label", `${name}: ${STAGES[state]}`);
      item.append(bar);
    }
    return item;
  }

  function describe(one) {
    if (one.state === "ready") return make("a", { href: `${PLACE}${one.key}/index.html`, textContent: "Open the report" });
    if (one.state === "failed") return one.error;
    return one.stage ? `${STAGES[one.state]}: ${one.stage}` : STAGES[one.state];
  }

  function show(all) {
    const others = all.filter((one) => !sending || one.key !== sending.key);
    if (sending) sending.others = others;
    const lines = others.map((one) => {
      const item = line(one.name, one.state, describe(one));
      for (const note of one.notes) item.append(make("div", { textContent: `Note: ${note}` }));
      return item;
    });
    if (sending) lines.push(line(sending.name, "arriving", `uploading: ${Math.floor(100 * sending.share)} %`, sending.share));
    const held = document.activeElement?.closest?.(".pf-uploads-list") ? document.activeElement.href : null;
    list.replaceChildren(...lines);
    if (held) [...list.querySelectorAll("a")].find((one) => one.href === held)?.focus();
  }

  /** Ask how far all is while something is under way; open what this page sent once all of it is there. */
  async function watch() {
    clearTimeout(asking);
    let all;
    try {
      all = await ask("");
    } catch (error) {
      return tell(error.message);
    }
    show(all);
    const now = all.filter((one) => OPEN.has(one.state));
    const own = all.filter((one) => mine.has(one.key));
    if (now.length) {
      setFolded(false);
      tell(`${now[0].name}: ${STAGES[now[0].state]}`);
      asking = setTimeout(watch, BETWEEN);
    } else if (own.length) finish(own);
    return undefined;
  }

  function finish(own) {
    const last = own[own.length - 1];
    const ready = own.filter((one) => one.state === "ready");
    tell(last.state === "failed" ? `${last.name}: no report was built, see below` : `${last.name}: the report is ready`);
    mine.clear();
    if (!sending && own.length === 1 && ready.length === 1) location.assign(`${PLACE}${last.key}/index.html`);
  }

  /** The files of what was dropped, also those in folders. */
  async function walk(entry, path) {
    if (entry.isFile) return [{ path, file: await new Promise((done, fail) => entry.file(done, fail)) }];
    const reader = entry.createReader(), found = [];
    for (;;) {
      const some = await new Promise((done, fail) => reader.readEntries(done, fail));
      if (!some.length) return found;
      for (const one of some) found.push(...await walk(one, `${path}/${one.name}`));
    }
  }

  async function readDropped(transfer) {
    const entries = [...transfer.items].map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry()).filter(Boolean);
    const plain = [...transfer.files].map((file) => ({ path: file.name, file }));
    if (!entries.length) return plain;
    return (await Promise.all(entries.map((entry) => walk(entry, entry.name)))).flat();
  }

  const isOfFiles = (event) => !event.defaultPrevented && [...event.dataTransfer.types].includes("Files");

  function listen() {
    chooseFiles.addEventListener("click", () => files.click());
    chooseFolder.addEventListener("click", () => folder.click());
    for (const input of [files, folder]) {
      input.addEventListener("change", () => {
        add([...input.files].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
        input.value = "";
      });
    }
    addEventListener("dragover", (event) => {
      if (!isOfFiles(event)) return;
      event.preventDefault();
      cover.hidden = false;
    });
    addEventListener("dragleave", (event) => { if (!event.relatedTarget) cover.hidden = true; });
    addEventListener("drop", async (event) => {
      cover.hidden = true;
      if (!isOfFiles(event)) return;
      event.preventDefault();
      try {
        add(await readDropped(event.dataTransfer));
      } catch (error) {
        tell(`What was dropped cannot be read: ${error.message}`);
      }
    });
    addEventListener("beforeunload", (event) => { if (sending) event.preventDefault(); });
  }

  const here = document.querySelector(".pf-uploads-here");
  (here || document.body).append(panel);
  document.body.append(cover);
  fold.addEventListener("click", () => setFolded(!panel.classList.contains("pf-uploads-folded")));
  setFolded(!here);
  if (token) {
    listen();
    watch();
  } else {
    for (const button of [chooseFiles, chooseFolder]) button.disabled = true;
    lead.textContent = "To add a profile, open the address that perfolio serve printed.";
  }
})();
