import type { NstpComponent } from '#shared/students/student-choices.ts'

/** The colour of each component. Never the only sign: the component's name stands beside it. */
export const componentTones = {
  ROTC: 'olive',
  CWTS: 'blue',
  LTS: 'amber',
} as const satisfies Record<NstpComponent, string>
