import { backdrop, cardSize, ink, scene, sun } from './scene.ts'

/** A certificate with a seal. */
export function drawCertificate(): string {
  const lines = [300, 350, 400].map(
    (y, index) =>
      `<rect x="${380 + index * 20}" y="${y}" width="${440 - index * 40}" height="14" rx="7" fill="#cfc5a6"/>`,
  )
  return scene(cardSize, [
    backdrop(cardSize, '#1d5c45', ink.pine),
    sun({ x: 600, y: 330 }, 620, '#17503b'),
    `<g transform="rotate(-3 600 337)"><rect x="260" y="110" width="680" height="460" rx="12" fill="${ink.paper}"/><rect x="286" y="136" width="628" height="408" rx="6" fill="none" stroke="${ink.gold}" stroke-width="6"/><rect x="440" y="200" width="320" height="26" rx="13" fill="${ink.pine}"/>${lines.join('')}<path d="M600 500l-40 110 50-26 22 46 20-120Z" fill="#8f2f24"/><circle cx="620" cy="480" r="58" fill="${ink.gold}"/>${sun({ x: 620, y: 480 }, 44, ink.paper)}</g>`,
  ])
}
