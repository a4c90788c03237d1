// What is wrong with the look of a picture, a sentence each: evaluated in a page that shows it.
(() => {
  const faults = [];
  const placed = (element) => ({
    element,
    name: element.textContent.trim().split('\n')[0],
    place: element.getBoundingClientRect(),
  });
  // Half a pixel is lost in rounding.
  const overlap = (a, b) =>
    a.left + 0.5 < b.right && b.left + 0.5 < a.right && a.top + 0.5 < b.bottom && b.top + 0.5 < a.bottom;
  const within = (a, b) =>
    a.left >= b.left - 0.5 && a.right <= b.right + 0.5 && a.top >= b.top - 0.5 && a.bottom <= b.bottom + 0.5;
  const pairs = (list, fault) =>
    list.forEach((a, i) => list.slice(i + 1).forEach((b) => overlap(a.place, b.place) && faults.push(fault(a, b))));

  const paper = document.querySelector('.job .paper').getBoundingClientRect();
  const boxes = [...document.querySelectorAll('.job .stage')].map((stage) => ({
    ...placed(stage),
    place: stage.querySelector('.outline').getBoundingClientRect(),
  }));
  const labels = [...document.querySelectorAll('.job .label')].map(placed);
  const others = [...document.querySelectorAll('.job .legend, .job .heading')].map(placed);

  pairs(boxes, (a, b) => `the boxes ${a.name} and ${b.name} overlap`);
  pairs([...labels, ...others], (a, b) => `the texts ${a.name} and ${b.name} overlap`);
  for (const box of boxes) {
    const texts = [...box.element.querySelectorAll('text')].map(placed);
    texts
      .filter((text) => !within(text.place, box.place))
      .forEach((text) => faults.push(`'${text.name}' leaves the box ${box.name}`));
    pairs(texts, (a, b) => `in ${box.name}, '${a.name}' and '${b.name}' overlap`);
    [...labels, ...others]
      .filter((text) => overlap(text.place, box.place))
      .forEach((text) => faults.push(`'${text.name}' lies on the box ${box.name}`));
  }
  [...boxes, ...labels, ...others]
    .filter((thing) => !within(thing.place, paper))
    .forEach((thing) => faults.push(`${thing.name} leaves the picture`));

  for (const line of document.querySelectorAll('.job .way .line')) {
    const toPage = line.getScreenCTM();
    for (let at = 4; at < line.getTotalLength() - 4; at += 8) {
      const point = line.getPointAtLength(at).matrixTransform(toPage);
      const spot = {left: point.x - 1, right: point.x + 1, top: point.y - 1, bottom: point.y + 1};
      const crossed = boxes.find((box) => overlap(spot, box.place));
      if (crossed) {
        faults.push(`a line runs through ${crossed.name}`);
        break;
      }
    }
  }

  const channels = (color) => color.match(/[\d.]+/g).slice(0, 3).map(Number);
  const luminance = (color) =>
    channels(color)
      .map((channel) => channel / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => {
    const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (light + 0.05) / (dark + 0.05);
  };
  const fill = (element) => getComputedStyle(element).fill;
  for (const text of document.querySelectorAll('.job text')) {
    const stage = text.closest('.stage');
    const behind = stage ? stage.querySelector('.outline') : document.querySelector('.job .paper');
    if (contrast(fill(text), fill(behind)) < 4.5) {
      faults.push(`'${text.textContent}' can hardly be read: ${fill(text)} on ${fill(behind)}`);
    }
  }
  return faults;
})()
