import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync(new URL('../app.css', import.meta.url), 'utf8')
const darkStart = css.indexOf('@media (prefers-color-scheme: dark)')

type Palette = Map<string, string>

function colours(part: string): Palette {
  const found = part.matchAll(/--(?:color-)?([\w-]+):\s*(#[0-9a-f]{3,6});/g)
  return new Map([...found].map(([, name = '', value = '']) => [name, value]))
}

const light = colours(css.slice(0, darkStart))
const dark = new Map([...light, ...colours(css.slice(darkStart))])

function luminance(hex: string): number {
  const full = hex.length === 4 ? hex.replace(/[0-9a-f]/g, '$&$&') : hex
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(full.slice(start, start + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(palette: Palette, one: string, other: string): number {
  const [a = 0, b = 0] = [one, other].map((name) => {
    const value = palette.get(name)
    if (!value) throw new Error(`no colour is called ${name}`)
    return luminance(value)
  })
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const surfaces = ['bg', 'card', 'soft']
const tones = ['danger', 'success', 'warning', 'info', 'olive', 'blue', 'amber']

const texts = [
  ...['fg', 'muted', 'primary', 'danger'].flatMap((text) => surfaces.map((surface) => [text, surface])),
  ...tones.flatMap((tone) => [
    [tone, `${tone}-soft`],
    [tone, 'card'],
  ]),
  ['primary', 'primary-soft'],
  ['on-primary', 'primary'],
  ['on-primary', 'primary-strong'],
  ['on-danger', 'danger'],
  ['on-danger', 'danger-strong'],
  ['on-gold', 'gold'],
  ['on-gold', 'gold-strong'],
  ['gold', 'pine'],
  ...['on-pine', 'on-pine-muted'].flatMap((text) => ['pine', 'pine-deep'].map((surface) => [text, surface])),
]

describe.each([
  ['light', light],
  ['dark', dark],
])('in %s', (_scheme, palette) => {
  test.each(texts)('%s is readable on %s: at least 4.5 to 1', (text = '', surface = '') => {
    expect(contrast(palette, text, surface)).toBeGreaterThanOrEqual(4.5)
  })

  test.each(surfaces)('the edge of a control stands out from %s: at least 3 to 1', (surface) => {
    expect(contrast(palette, 'edge', surface)).toBeGreaterThanOrEqual(3)
  })
})
