import { backdrop, figure, ink, land, scene, slideSize, sun } from './scene.ts'

/** Cadets in formation at sunrise. */
export function drawFormation(): string {
  const { width } = slideSize
  const rows = [
    { y: 640, tall: 105, count: 17 },
    { y: 715, tall: 135, count: 14 },
    { y: 815, tall: 175, count: 11 },
  ]
  return scene(slideSize, [
    backdrop(slideSize, '#f3b45f', ink.sand),
    sun({ x: 1120, y: 430 }, 330, ink.gold),
    land(skyline([450, 330, 470, 380, 500, 410]), slideSize, '#7fa98b'),
    land(skyline([520, 470, 540, 460, 520, 545]), slideSize, ink.leaf),
    land(skyline([575, 565, 580, 570, 575, 580]), slideSize, '#8a9a4a'),
    `<path d="M300 610V150" stroke="${ink.paper}" stroke-width="9"/><path d="M304 156Q380 130 450 160T590 150V240Q520 270 450 245T304 250Z" fill="${ink.pine}"/><circle cx="440" cy="202" r="22" fill="${ink.gold}"/>`,
    ...rows.flatMap(({ y, tall, count }) =>
      Array.from({ length: count }, (_, place) =>
        figure({ x: (width / count) * (place + 0.5), y, tall, colour: '#4c5716', hat: 'cap' }),
      ),
    ),
  ])
}

/** Peaks at even distances over the whole width. */
function skyline(heights: readonly number[]) {
  return heights.map((y, index) => ({ x: (slideSize.width / (heights.length - 1)) * index, y }))
}
