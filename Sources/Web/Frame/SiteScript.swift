/// What a browser may do beside showing pages; every page works without it.
enum SiteScript {
    /// Keys: `j` and `k` go to the later and the earlier observation, `/` to the first field, `t` to the home page, `?` to help.
    /// The title of a time is that of the browser's clock. Commands and statements get a button that copies them. A line tells
    /// when the archive has got more; the page is never loaded anew by itself. A chart says what is pointed at; dragging over
    /// it, or arrows with shift and then return, enters an interval.
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
        for (const chart of document.querySelectorAll("svg.wide")) {
          const [start, end] = [Number(chart.dataset.start), Number(chart.dataset.end)];
          const plot = chart.querySelector(".stretched"), hits = [...plot.querySelectorAll(".hit")];
          const value = chart.parentElement.querySelector(".value");
          if (!value) continue;
          const edges = (hit) => { const x = Number(hit.getAttribute("x")); return [x, x + Number(hit.getAttribute("width"))]; };
          const at = (event) => {
            const box = plot.getBoundingClientRect();
            return 1000 * Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
          };
          let current = -1, anchor = -1, down = null, mark = null, dragged = false;
          const show = (index) => {
            if (index === current) return;
            hits[current]?.classList.remove("on");
            current = index;
            hits[current]?.classList.add("on");
            const hit = hits[current];
            value.textContent = (hit?.querySelector("title") ?? hit?.parentElement.querySelector("title"))?.textContent ?? "";
          };
          const clear = () => { mark?.remove(); mark = null; };
          const select = (from, to) => {
            mark ??= plot.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "rect"));
            for (const [name, text] of Object.entries({ class: "selection", x: from, width: to - from, height: 1000 }))
              mark.setAttribute(name, text);
          };
          const go = (from, to) => {
            const url = new URL(chart.dataset.base, location.href);
            for (const [name, x] of [["since", from], ["until", to]])
              url.searchParams.set(name, new Date((start + (end - start) * x / 1000) * 1000).toISOString().slice(0, 19) + "Z");
            location.assign(url);
          };
          chart.addEventListener("pointermove", (event) => {
            const x = at(event);
            if (down !== null) return select(Math.min(down, x), Math.max(down, x));
            show(hits.findIndex((hit) => { const [from, to] = edges(hit); return x >= from && x < to; }));
          });
          chart.addEventListener("pointerdown", (event) => {
            dragged = false;
            if (!event.button && chart.dataset.base && event.pointerType !== "touch") down = at(event);
          });
          chart.addEventListener("dragstart", (event) => event.preventDefault());
          chart.addEventListener("click", (event) => { if (dragged) event.preventDefault(); }, true);
          addEventListener("pointerup", (event) => {
            if (down === null) return;
            const x = at(event), [from, to] = [Math.min(down, x), Math.max(down, x)];
            down = null;
            if (to - from < 8) return clear();
            dragged = true;
            go(from, to);
          });
          chart.addEventListener("keydown", (event) => {
            const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
            if (step && hits.length) {
              event.preventDefault();
              const next = Math.min(hits.length - 1, Math.max(0, current < 0 ? (step > 0 ? 0 : hits.length - 1) : current + step));
              if (!event.shiftKey) { anchor = -1; clear(); } else if (anchor < 0) anchor = Math.max(current, 0);
              show(next);
              if (anchor >= 0) select(edges(hits[Math.min(anchor, next)])[0], edges(hits[Math.max(anchor, next)])[1]);
            } else if (event.key === "Enter" && hits[current] && chart.dataset.base && event.target === chart) {
              const other = anchor < 0 ? current : anchor;
              go(edges(hits[Math.min(other, current)])[0], edges(hits[Math.max(other, current)])[1]);
            }
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
              return say("The server restarted. healthprobe serve --open logs in again.", "/login", "Log in");
            }
            if (answer.status !== 200) return;
            const state = await answer.json();
            if (String(state.newest ?? "") !== notice.dataset.newest) {
              say("A new export was imported.", "/", "Show it");
            } else if (state.importRunning) {
              say("An import has been running since " + new Date(state.since).toLocaleTimeString() + ".");
            } else if (notice.dataset.said) say("");
          };
          setInterval(look, 5000);
          document.addEventListener("visibilitychange", look);
        }
        """
}
