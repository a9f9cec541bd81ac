import { levelName } from '#shared/terms/level-names.ts'
import { useSettings } from './settings.tsx'

export type NameLevel = (component: string | null, level: number) => string

/** The names that the settings give the levels. */
export function useLevelNames() {
  const { levelNames } = useSettings()
  const nameLevel: NameLevel = (component, level) => levelName(levelNames, component, level)
  return {
    levelName: nameLevel,
    /** 'CWTS, NSTP 1' */
    cellName: ({ component, level }: { component: string; level: number }) =>
      `${component}, ${nameLevel(component, level)}`,
  }
}
