import type { NstpComponent } from '#shared/students/student-choices.ts'

// The name is shown too: colour is never the only sign.
export const componentTones = { ROTC: 'olive', CWTS: 'blue', LTS: 'amber' } as const satisfies Record<
  NstpComponent,
  string
>
