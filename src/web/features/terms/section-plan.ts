import type { FieldError } from '#shared/problem.ts'
import {
  type SectionEdit,
  type SectionTakes,
  sectionEditSchema,
  sectionMessages,
  sectionTakes,
  termLimits,
} from '#shared/terms/terms.ts'
import { problemsOfSchema } from '#web/components/form.tsx'

/** `halves`: the first half of the units for men, the second for women. */
export const plannedTakes = [...sectionTakes, 'halves'] as const

type PlannedTakes = (typeof plannedTakes)[number]

/** The plan as texts, as the form has it. */
export interface SectionPlan {
  units: string
  perUnit: string
  pattern: string
  capacity: string
  takes: PlannedTakes
  courses: string[]
}

export const battalions: SectionPlan = {
  units: 'Alpha, Bravo, Charlie, Delta, Echo, Foxtrot, Golf, Hotel',
  perUnit: '4',
  pattern: 'Platoon {n}',
  capacity: '37',
  takes: 'halves',
  courses: [],
}

const studentsASection = 60

/** @param unplaced the students who have no section yet */
export function sectionsOfSixty(unplaced: number): SectionPlan {
  return {
    units: '',
    perUnit: String(Math.max(1, Math.ceil(unplaced / studentsASection))),
    pattern: 'Section {n}',
    capacity: String(studentsASection),
    takes: 'all',
    courses: [],
  }
}

type Named = Pick<SectionEdit, 'unit' | 'name'>

const keyOf = ({ unit, name }: Named) => JSON.stringify([unit.toLowerCase(), name.toLowerCase()])

/** Numbers whose name is taken are left out, so that later ones go on behind the earlier. */
export function sectionsOf(plan: SectionPlan, held: readonly Named[]): SectionEdit[] {
  const units = plan.units
    .split(',')
    .map((unit) => unit.trim())
    .filter((unit) => unit !== '')
  const taken = new Set(held.map(keyOf))
  const own = units.length === 0 ? [''] : units
  return own.flatMap((unit, index) => {
    const takes = takesOf(plan.takes, index, own.length)
    return namesOf(plan, unit, taken).map((name) => ({
      unit,
      name,
      capacity: Number(plan.capacity),
      takes,
      courses: plan.courses,
      adviser: '',
      meets: '',
    }))
  })
}

function takesOf(takes: PlannedTakes, index: number, units: number): SectionTakes {
  if (takes !== 'halves') return takes
  return index < units / 2 ? 'Male' : 'Female'
}

function namesOf({ pattern, perUnit }: SectionPlan, unit: string, taken: ReadonlySet<string>): string[] {
  const wanted = Math.min(Number(perUnit) || 0, termLimits.sectionsAtOnce)
  // Without a counter all have one name: the server says that it is taken.
  if (!pattern.includes('{n}')) return Array.from({ length: wanted }, () => pattern.trim())
  const names: string[] = []
  for (let number = 1; names.length < wanted; number++) {
    const name = pattern.replaceAll('{n}', String(number)).trim()
    if (!taken.has(keyOf({ unit, name }))) names.push(name)
  }
  return names
}

export const planMessages = {
  perUnit: `Please enter a whole number from 1 to ${termLimits.sectionsAtOnce}.`,
  pattern: 'Please write {n} where the number goes.',
} as const

export function problemsOfPlan(plan: SectionPlan, held: readonly Named[]): FieldError[] {
  const problems: FieldError[] = []
  const perUnit = /^\d{1,3}$/.test(plan.perUnit.trim()) ? Number(plan.perUnit) : 0
  if (perUnit < 1 || perUnit > termLimits.sectionsAtOnce) {
    problems.push({ path: 'perUnit', message: planMessages.perUnit })
  }
  if (perUnit > 1 && !plan.pattern.includes('{n}')) {
    problems.push({ path: 'pattern', message: planMessages.pattern })
  }
  if (problems.length > 0) return problems
  const sections = sectionsOf(plan, held)
  if (sections.length > termLimits.sectionsAtOnce) {
    return [{ path: 'perUnit', message: sectionMessages.tooMany }]
  }
  // The sections of one plan differ only in their unit and number.
  const fields: Record<string, string> = { unit: 'units', name: 'pattern', capacity: 'capacity' }
  const found = sections.flatMap((section) => problemsOfSchema(sectionEditSchema, section))
  const paths = new Map(found.map(({ path, message }) => [fields[path] ?? path, message]))
  return [...paths].map(([path, message]) => ({ path, message }))
}
