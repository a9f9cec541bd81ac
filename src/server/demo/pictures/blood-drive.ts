import { backdrop, cardSize, ink, scene } from './scene.ts'

/** A drop with a heart in it. */
export function drawBloodDrive(): string {
  const rings = [300, 240, 180].map(
    (radius, index) =>
      `<circle cx="600" cy="350" r="${radius}" fill="#fff" opacity="${0.18 + index * 0.12}"/>`,
  )
  return scene(cardSize, [
    backdrop(cardSize, '#f6c9bd', '#fbeae2'),
    ...rings,
    '<path d="M600 120C660 230 730 300 730 400A130 130 0 0 1 470 400C470 300 540 230 600 120Z" fill="#b3261e"/>',
    '<path d="M600 470C530 420 520 390 520 368A42 42 0 0 1 600 348A42 42 0 0 1 680 368C680 390 670 420 600 470Z" fill="#fff"/>',
    '<path d="M540 250Q500 320 498 380" stroke="#fff" stroke-width="14" stroke-linecap="round" fill="none" opacity=".55"/>',
    `<path d="M0 600H1200V675H0Z" fill="${ink.pine}"/><path d="M0 600${'l30 30l30-30'.repeat(20)}" fill="${ink.gold}"/>`,
  ])
}
