import { backdrop, figure, ink, land, scene, slideSize } from './scene.ts'

/** Relief goods loaded onto a jeepney. */
export function drawRelief(): string {
  return scene(slideSize, [
    backdrop(slideSize, '#a9bcc6', '#e5ebe4'),
    '<g fill="#c7d4da"><ellipse cx="320" cy="170" rx="210" ry="60"/><ellipse cx="470" cy="140" rx="150" ry="62"/><ellipse cx="1200" cy="210" rx="240" ry="62"/></g>',
    land(skyline([430, 360, 440, 380, 450]), slideSize, '#7f9d8c'),
    land(skyline([520, 500, 515, 500, 520]), slideSize, ink.leaf),
    '<rect y="640" width="1600" height="260" fill="#6c6f6a"/><path d="M0 770H1600" stroke="#e8e2cc" stroke-width="10" stroke-dasharray="90 70"/>',
    jeepney(),
    ...[
      [250, 700],
      [330, 700],
      [290, 630],
      [180, 715],
    ].map(([x = 0, y = 0]) => parcel(x, y)),
    figure({ x: 430, y: 790, tall: 250, colour: ink.gold }),
    parcel(462, 640),
    figure({ x: 620, y: 800, tall: 255, colour: ink.pine }),
    figure({ x: 120, y: 800, tall: 245, colour: '#2f6db0' }),
  ])
}

function skyline(heights: readonly number[]) {
  return heights.map((y, index) => ({ x: (slideSize.width / (heights.length - 1)) * index, y }))
}

function parcel(x: number, y: number): string {
  return `<g transform="translate(${x} ${y})"><rect width="76" height="66" rx="5" fill="#c99b62"/><path d="M0 20H76M38 0V66" stroke="#a87b45" stroke-width="7"/></g>`
}

function jeepney(): string {
  const windows = [820, 920, 1020, 1120]
    .map((x) => `<rect x="${x}" y="470" width="84" height="74" rx="8" fill="#dcecf0"/>`)
    .join('')
  const wheels = [890, 1360]
    .map(
      (x) =>
        `<circle cx="${x}" cy="720" r="62" fill="#20262a"/><circle cx="${x}" cy="720" r="28" fill="#d9dde0"/>`,
    )
    .join('')
  return `<path d="M780 440Q780 420 800 420H1230L1300 560H1450Q1500 566 1504 620V710H760V470Z" fill="${ink.clay}"/><rect x="780" y="400" width="470" height="30" rx="12" fill="${ink.gold}"/>${windows}<path d="M1226 470h30l44 84h-74Z" fill="#dcecf0"/><path d="M760 610H1504" stroke="${ink.gold}" stroke-width="22"/><path d="M760 650H1504" stroke="${ink.pine}" stroke-width="14"/><circle cx="1482" cy="602" r="18" fill="${ink.paper}"/>${wheels}`
}
