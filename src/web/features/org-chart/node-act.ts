import type { OrgStep } from '#shared/org-moves.ts'

/** What the coordinator does with a position. */
export type NodeAct = 'edit' | 'add' | 'move' | 'delete' | OrgStep

/** The keys that move a position, with the alt key. */
export const stepKeys: Partial<Record<string, OrgStep>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
}

/** The steps as buttons say them. */
export const stepLabels: Record<OrgStep, string> = {
  up: 'Move up',
  down: 'Move down',
  in: 'Move under the one before',
  out: 'Move out one level',
}
