'use strict';

// An element with properties, attributes (those with a hyphen, and role) and children. Text only ever becomes text.
function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes('-') || key === 'role') made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children);
  return made;
}

function button(text, onclick, properties = {}) {
  return element('button', {type: 'button', onclick, ...properties}, text);
}

// Case and diacritics do not matter to a search, nor to an order of words.
function folded(text) {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

const collator = new Intl.Collator(document.documentElement.lang || 'en', {numeric: true});

function thousands(number) {
  return number.toLocaleString('en');
}

// Runs `action` for a click and for the keys that stand for one.
function onActivate(target, action) {
  target.addEventListener('click', action);
  target.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    action(event);
  });
}
