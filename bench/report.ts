import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { basename } from 'node:path'

export interface Figure {
  what: string
  product: string
  reference: string
  // The aim and whether it is met; empty without one.
  aim: string
}

export function toMarkdown(figures: readonly Figure[], databaseSettings: string): string {
  const processors = cpus()
  const machine = `${processors.length} × ${processors[0]?.model.trim() ?? 'processor'}`
  const day = new Date().toISOString().slice(0, 10)
  const rows = figures.map(
    ({ what, product, reference, aim }) => `| ${what} | ${product} | ${reference} | ${aim} |`,
  )
  return [
    `Measured on ${day}: ${machine}, Node ${process.versions.node}, PostgreSQL with ${databaseSettings}.`,
    '',
    '| what | NSTP Portal | reference | aim |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}

/** Replaces the part's section, or adds it. */
export function writeFigures(file: string, part: string, markdown: string): void {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : `# Figures of ${basename(file, '.md')}\n`
  const [title = '', ...sections] = text.split(/^(?=## )/m)
  const heading = `## ${part}\n`
  const own = sections.findIndex((section) => section.startsWith(heading))
  sections[own === -1 ? sections.length : own] = `${heading}\n${markdown}\n`
  writeFileSync(file, `${[title, ...sections].map((section) => section.trimEnd()).join('\n\n')}\n`)
}

/** 'met: 83% ≥ 60%', for figures of which more is better. */
export function atLeast(value: number, aim: number, unit: string): string {
  return `${value >= aim ? 'met' : 'missed'}: ${format(value)}${unit} ≥ ${aim}${unit}`
}

export function atMost(value: number, aim: number, unit: string): string {
  return `${value <= aim ? 'met' : 'missed'}: ${format(value)}${unit} ≤ ${aim}${unit}`
}

/** Three significant digits: 1234, 56.7, 0.89. */
export function format(value: number): string {
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
