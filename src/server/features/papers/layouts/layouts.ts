import type { LayoutCode } from '#shared/papers/papers.ts'
import { chedWorkbook } from './ched-workbook.ts'
import type { Layout } from './layout.ts'
import { osds2b, osds2bGraduates } from './osds-2b.ts'
import { registrarGrades } from './registrar-grades.ts'
import { rotcGrades } from './rotc-grades.ts'
import { rotcRoster } from './rotc-roster.ts'

const layouts: readonly Layout[] = [
  chedWorkbook,
  osds2b,
  osds2bGraduates,
  rotcGrades,
  rotcRoster,
  registrarGrades,
]

/** @param ofGraduates for 2-B, which has two lists */
export function layoutOf(code: LayoutCode, { ofGraduates }: { ofGraduates: boolean }): Layout {
  const found = layouts.filter((layout) => layout.code === code)
  const [first] = found
  if (!first) throw new Error(`there is no layout ${code}`)
  return found.find(({ purpose }) => ofGraduates && purpose === 'graduates') ?? first
}
