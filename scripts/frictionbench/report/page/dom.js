// Elements, made and found.

export function find(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found;
}

// An element with properties, and children that are elements or text.
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made && name !== "list") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// Fills a select with [value, text] pairs.
export function fillSelect(select, options, chosen) {
  select.replaceChildren(...options.map(([value, text]) => element("option", { value }, text)));
  select.value = chosen;
}

// A table with row headers: rows are lists whose first cell is the header.
export function table(caption, head, rows, className = "") {
  const header = head.map((text) => element("th", { scope: "col" }, text));
  const body = rows.map(([first, ...cells]) =>
    element("tr", {}, element("th", { scope: "row" }, first),
      ...cells.map((cell) => element("td", {}, cell))));
  return element("table", { className }, element("caption", {}, element("span", {}, caption)),
    element("thead", {}, element("tr", {}, ...header)), element("tbody", {}, ...body));
}

// What is wider than the page, and scrolls by itself.
export function scrolled(ariaLabel, content) {
  return element("div", { className: "scroll", tabIndex: 0, role: "region", ariaLabel }, content);
}
