/* Search on file://, where browsers refuse to start a Worker from a file.
 *
 * Stands in for Worker with a hidden frame of this page: the script runs in the
 * frame, whose postMessage and message events are connected to the object here.
 * search.js loads this when it is wanted.
 */
(function () {
  "use strict";

  class IFrameWorker extends EventTarget {
    constructor(url) {
      super();
      this.onmessage = null;
      this.onerror = null;
      this.queue = []; // messages sent before the script has run
      this.ready = false;
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.title = "Search";
      document.body.appendChild(this.frame);
      this.start(new URL(String(url), document.baseURI).href);
    }

    start(url) {
      const inner = this.frame.contentWindow;
      inner.postMessage = (data) => this.deliver(data);
      inner.importScripts = (...urls) => urls.reduce(
        (before, next) => before.then(() => this.load(next)), Promise.resolve());
      this.load(url).then(() => {
        this.ready = true;
        this.queue.splice(0).forEach((data) => this.postMessage(data));
      }).catch((event) => {
        if (this.onerror) this.onerror(event);
        this.dispatchEvent(new Event("error"));
      });
    }

    load(url) {
      const inner = this.frame.contentDocument;
      return new Promise((resolve, reject) => {
        const script = inner.createElement("script");
        script.src = url;
        script.onload = resolve;
        script.onerror = reject;
        inner.body.appendChild(script);
      });
    }

    deliver(data) {
      const event = new MessageEvent("message", { data });
      if (this.onmessage) this.onmessage(event);
      this.dispatchEvent(event);
    }

    postMessage(data) {
      if (!this.ready) {
        this.queue.push(data);
        return;
      }
      const inner = this.frame.contentWindow;
      inner.dispatchEvent(new inner.MessageEvent("message", { data }));
    }

    terminate() {
      this.frame.remove();
    }
  }

  window.IFrameWorker = IFrameWorker; // the search script asks its parent for this name
})();
