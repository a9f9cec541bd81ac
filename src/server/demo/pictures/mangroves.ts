import { backdrop, figure, ink, land, scene, slideSize, sun } from './scene.ts'

/** Mangrove seedlings being planted in rows on a tidal flat. */
export function drawMangroves(): string {
  const seedlings = [640, 700, 770, 850].flatMap((y, row) =>
    Array.from({ length: 13 - row }, (_, place) =>
      seedling((1600 / (13 - row)) * (place + 0.5), y, 0.6 + row * 0.25),
    ),
  )
  return scene(slideSize, [
    backdrop(slideSize, ink.sky, '#eef7f4'),
    sun({ x: 330, y: 210 }, 150, ink.gold),
    land(points([400, 300, 390, 340, 420]), slideSize, '#8db9a2'),
    `<rect y="415" width="1600" height="485" fill="${ink.sea}"/>`,
    ...[450, 490, 535].map(
      (y, row) =>
        `<path d="M${row * 120} ${y}H${row * 120 + 420}M${row * 90 + 760} ${y + 12}H${row * 90 + 1300}" stroke="#7dbccb" stroke-width="6" stroke-linecap="round"/>`,
    ),
    `<path d="M1180 470l60 34h150l50-34Z" fill="${ink.clay}"/><path d="M1300 466V330l96 128Z" fill="${ink.paper}"/>`,
    land(points([590, 565, 600, 570, 610]), slideSize, '#8f7a5c'),
    ...seedlings,
    figure({ x: 420, y: 720, tall: 190, colour: ink.gold, hat: 'salakot' }),
    figure({ x: 700, y: 775, tall: 225, colour: '#2f6db0', hat: 'salakot' }),
    figure({ x: 1010, y: 735, tall: 200, colour: ink.clay, hat: 'salakot' }),
    figure({ x: 1260, y: 800, tall: 240, colour: ink.leaf, hat: 'salakot' }),
  ])
}

function points(heights: readonly number[]) {
  return heights.map((y, index) => ({ x: (slideSize.width / (heights.length - 1)) * index, y }))
}

function seedling(x: number, y: number, scale: number): string {
  return `<g transform="translate(${x} ${y}) scale(${scale})"><ellipse cy="2" rx="24" ry="5" fill="#000" opacity=".12"/><path d="M0 0V-40" stroke="#5b4630" stroke-width="5"/><path d="M0-40Q-30-44-26-70Q-4-64 0-40Q4-70 30-72Q30-46 0-40Q-8-74 2-90Q14-70 0-40Z" fill="${ink.leaf}"/></g>`
}
