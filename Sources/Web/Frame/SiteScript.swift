/// What a browser may do beside showing pages; every page works without it.
enum SiteScript {
    /// Keys: `j` and `k` go to the later and the earlier observation, `/` to the first field, `t` to the timeline, `?` to help.
    /// The title of a time is that of the browser's clock. Commands and statements get a button that copies them. A line tells
    /// when the archive has got more; the page is never loaded anew by itself.
    static let text: StaticString = """
        "use strict";
        document.addEventListener("keydown", (event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          if (event.target.closest("input, select, textarea")) return;
          const selector = {
            j: "a[rel=next]", k: "a[rel=prev]", t: "header a.name", "?": "a[href^='/help']",
          }[event.key];
          if (selector) {
            const link = document.querySelector(selector);
            if (link) link.click();
          } else if (event.key === "/") {
            const field = document.querySelector("main input:not([type=hidden]), main select");
            if (field) { event.preventDefault(); field.focus(); }
          }
        });
        for (const time of document.querySelectorAll("time")) time.title = new Date(time.dateTime).toLocaleString();
        addEventListener("beforeprint", () => {
          for (const part of document.querySelectorAll("details")) part.open = true;
        });
        if (navigator.clipboard) {
          for (const block of document.querySelectorAll("main pre")) {
            const button = document.createElement("button");
            button.type = "button";
            button.className = "copy";
            button.textContent = "Copy";
            const text = block.textContent;
            button.addEventListener("click", async () => {
              await navigator.clipboard.writeText(text);
              button.textContent = "Copied";
            });
            block.after(button);
          }
        }
        const form = document.getElementById("import");
        if (form) {
          const file = form.querySelector("input"), bar = form.querySelector("progress");
          const status = form.querySelector("[role=status]");
          addEventListener("dragover", (event) => event.preventDefault());
          addEventListener("drop", (event) => {
            event.preventDefault();
            if (event.dataTransfer.files.length) file.files = event.dataTransfer.files;
          });
          form.addEventListener("submit", (event) => {
            event.preventDefault();
            const chosen = file.files[0];
            if (!chosen) return;
            const request = new XMLHttpRequest();
            request.open("POST", "/import?name=" + encodeURIComponent(chosen.name));
            request.setRequestHeader("Content-Type", "application/octet-stream");
            request.setRequestHeader("Accept", "application/json");
            request.upload.onprogress = (sent) => { bar.value = sent.loaded / sent.total; };
            request.onload = () => {
              if (request.status < 300) return location.assign(request.responseURL);
              bar.hidden = true;
              let error = {};
              try { error = JSON.parse(request.responseText).error; } catch { }
              status.textContent = (error.message ?? "It was refused.") + " " + (error.hint ?? "");
            };
            request.onerror = () => { bar.hidden = true; status.textContent = "The connection ended. Try again."; };
            bar.hidden = false;
            status.textContent = "";
            request.send(chosen);
          });
        }
        const notice = document.getElementById("notice");
        if (notice) {
          const say = (text, address, name) => {
            if (notice.dataset.said === text) return;
            notice.dataset.said = text;
            notice.textContent = text;
            if (!address) return;
            const link = document.createElement("a");
            link.href = address;
            link.textContent = name;
            notice.append(" ", link);
          };
          const look = async () => {
            if (document.hidden) return;
            let answer;
            try { answer = await fetch("/state.json"); } catch { return; }
            if (answer.status === 401) {
              return say("The server was started anew. healthprobe serve --open logs in again.", "/login", "Log in");
            }
            if (answer.status !== 200) return;
            const state = await answer.json();
            if (String(state.newest ?? "") !== notice.dataset.newest) {
              say("A new observation is there.", "/timeline", "Look at it");
            } else if (state.importRunning) {
              say("An import is running since " + new Date(state.since).toLocaleTimeString() + ".");
            } else if (notice.dataset.said) say("");
          };
          setInterval(look, 5000);
          document.addEventListener("visibilitychange", look);
        }
        """
}
