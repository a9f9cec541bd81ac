import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'

/** The names of the two levels, as the office and its papers use them. */
type LevelNames = Readonly<Record<NstpComponent, { first: string; second: string }>>

export const defaultLevelNames: LevelNames = {
  ROTC: { first: 'NSTP 1', second: 'NSTP 2' },
  CWTS: { first: 'NSTP 1', second: 'NSTP 2' },
  LTS: { first: 'NSTP 1', second: 'NSTP 2' },
}

/** The level's name in a component. If there is none, the names in all components, which may differ. */
export function levelName(names: LevelNames, component: string | null, level: number): string {
  const nameIn = (one: NstpComponent) => names[one][level === 1 ? 'first' : 'second']
  const own = nstpComponents.filter((one) => one === component)
  return [...new Set((own.length > 0 ? own : nstpComponents).map(nameIn))].join(' or ')
}
