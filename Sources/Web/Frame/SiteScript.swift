/// What a browser may do beside showing pages; every page works without it.
enum SiteScript {
    /// Keys: `j` and `k` go to the later and the earlier observation, `/` to the first field, `t` to the timeline, `?` to help.
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
            const field = document.querySelector("main input, main select");
            if (field) { event.preventDefault(); field.focus(); }
          }
        });
        addEventListener("beforeprint", () => {
          for (const part of document.querySelectorAll("details")) part.open = true;
        });
        """
}
