
'use strict';

// Choosing a stage marks its box and its lines and shows what there is to say of it. Choosing a line does so for every
// stage that comes from it. The address keeps the choice: #ID opens the page at that stage.

const picture = document.querySelector('#picture svg');
const boxes = new Map([...document.querySelectorAll('.stage')].map((box) => [box.dataset.stage, box]));
const stages = [...document.querySelectorAll('.details')];

function linesOf(stage) {
  const script = document.getElementById('script-' + stage.dataset.script);
  return script ? [...script.children].slice(stage.dataset.first - 1, stage.dataset.last) : [];
}

function anchor(stage) {
  return encodeURIComponent(stage.dataset.stage).replaceAll('%2F', '/');
}

function choose(chosen) {
  document.querySelectorAll('.line.marked').forEach((line) => line.classList.remove('marked'));
  for (const stage of stages) {
    const isChosen = chosen.includes(stage);
    const box = boxes.get(stage.dataset.stage);
    stage.hidden = !isChosen;
    box.classList.toggle('chosen', isChosen);
    box.setAttribute('aria-pressed', isChosen);
    if (isChosen) {
      linesOf(stage).forEach((line) => line.classList.add('marked'));
    }
  }
  document.getElementById('nothing-chosen').hidden = chosen.length > 0;
  document.getElementById('details').scrollTop = 0;
}

/** Scrolls what holds the element, and nothing around that, until the element is in sight. */
function show(element) {
  const pane = element.closest('section');
  const seen = pane.getBoundingClientRect();
  const place = element.getBoundingClientRect();
  if (place.top < seen.top || place.bottom > seen.bottom) {
    pane.scrollTop += (place.top + place.bottom - seen.top - seen.bottom) / 2;
  }
  if (place.width < seen.width && (place.left < seen.left || place.right > seen.right)) {
    pane.scrollLeft += (place.left + place.right - seen.left - seen.right) / 2;
  }
}

/** Chooses one stage, shows its lines, and keeps it in the address. */
function open(stage) {
  choose([stage]);
  history.replaceState(null, '', '#' + anchor(stage));
  linesOf(stage).slice(0, 1).forEach(show);
  show(boxes.get(stage.dataset.stage));
}

function openAddress() {
  const stage = stages.find((candidate) => anchor(candidate) === location.hash.slice(1).replaceAll('%2F', '/'));
  if (stage) {
    open(stage);
  }
}

function isEnter(event) {
  return event.key === 'Enter' || event.key === ' ';
}

stages.forEach((stage, index) => {
  const box = boxes.get(stage.dataset.stage);
  box.setAttribute('tabindex', '0');
  box.setAttribute('role', 'button');
  box.setAttribute('aria-pressed', 'false');
  box.addEventListener('click', () => open(stage));
  box.addEventListener('keydown', (event) => {
    const step = {ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1}[event.key];
    if (isEnter(event)) {
      event.preventDefault();
      open(stage);
    } else if (step && stages[index + step]) {
      event.preventDefault();
      open(stages[index + step]);
      boxes.get(stages[index + step].dataset.stage).focus();
    }
  });
});

const stagesOfLines = new Map();
for (const stage of stages) {
  linesOf(stage).forEach((line) => stagesOfLines.set(line, [...(stagesOfLines.get(line) || []), stage]));
}
for (const [line, ofLine] of stagesOfLines) {
  const chooseThese = () => {
    choose(ofLine);
    show(boxes.get(ofLine[0].dataset.stage));
  };
  line.classList.add('of-stage');
  line.addEventListener('click', chooseThese);
  // One line of each stage is enough to come by with Tab.
  if (ofLine.some((stage) => linesOf(stage)[0] === line)) {
    line.setAttribute('tabindex', '0');
    line.setAttribute('role', 'button');
    line.addEventListener('keydown', (event) => {
      if (isEnter(event)) {
        event.preventDefault();
        chooseThese();
      }
    });
  }
}

document.querySelectorAll('[data-goto]').forEach((button) =>
  button.addEventListener('click', () => open(stages.find((stage) => stage.dataset.stage === button.dataset.goto))));

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    choose([]);
    history.replaceState(null, '', location.pathname + location.search);
  }
});

const naturalWidth = picture.width.baseVal.value;
const naturalHeight = picture.height.baseVal.value;
let scale = 1;

function resize(wanted) {
  scale = Math.min(3, Math.max(0.1, wanted));
  picture.style.width = naturalWidth * scale + 'px';
  picture.style.height = naturalHeight * scale + 'px';
}

function fitting() {
  return document.getElementById('picture').clientWidth / naturalWidth;
}

document.getElementById('smaller').addEventListener('click', () => resize(scale / 1.25));
document.getElementById('larger').addEventListener('click', () => resize(scale * 1.25));
document.getElementById('fit').addEventListener('click', () => resize(fitting()));

// As large as it is drawn or as the page is wide, but never so small that it cannot be read.
resize(Math.min(1, Math.max(0.6, fitting())));
choose([]);
openAddress();
window.addEventListener('hashchange', openAddress);
