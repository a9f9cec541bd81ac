import { levelName } from '#shared/terms/level-names.ts'
import { type Level, levels } from '#shared/terms/terms.ts'
import { useSettings } from './settings.tsx'

export type NameLevel = (component: string | null, level: number) => string

interface Cell {
  component: string
  level: number
}

/** The level of an address or a control. */
export const levelOf = (text: string): Level => (text === '2' ? 2 : 1)

/** The names that the settings give the levels. */
export function useLevelNames() {
  const { levelNames } = useSettings()
  const nameLevel: NameLevel = (component, level) => levelName(levelNames, component, level)
  const cellName = ({ component, level }: Cell) => `${component}, ${nameLevel(component, level)}`
  return {
    levelName: nameLevel,
    /** The choices of a control. */
    levelOptions: (component: string | null) =>
      levels.map((level) => ({ value: String(level), label: nameLevel(component, level) })),
    /** 'CWTS, NSTP 1' */
    cellName,
    /** 'Alpha (CWTS, NSTP 1)', among sections of several components and levels. */
    sectionName: ({ label, ...cell }: Cell & { label: string }) => `${label} (${cellName(cell)})`,
  }
}
