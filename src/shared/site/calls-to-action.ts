import { registrationComponents } from '../students/student-choices.ts'

/** What decides whether a page may ask visitors to enlist. */
export interface EnlistmentAvailability {
  isOpen: boolean
  /** Components without a place in the current academic year. */
  full: readonly string[]
}

/**
 * `enlist`: a button leads to the form. `wait`: enlistment is closed, its sentence says until when. `full`: no place is left.
 * `ask`: the form doesn't offer this component, the office does.
 */
export type CallToAction = 'enlist' | 'wait' | 'full' | 'ask'

/** Decision 075: every call to action asks here. @param component none for the calls of the whole site */
export function callToAction({ isOpen, full }: EnlistmentAvailability, component?: string): CallToAction {
  if (component !== undefined && !isOnline(component)) return 'ask'
  if (!isOpen) return 'wait'
  if (component === undefined)
    return registrationComponents.every((one) => full.includes(one)) ? 'full' : 'enlist'
  return full.includes(component) ? 'full' : 'enlist'
}

/** The other components that a student can enlist in at once. */
export function othersToEnlistIn(availability: EnlistmentAvailability, component: string): readonly string[] {
  return registrationComponents.filter(
    (one) => one !== component && callToAction(availability, one) === 'enlist',
  )
}

interface Offered {
  closed: string | null
  currentAcademicYear: string
  full?: readonly { component: string; academicYear: string }[]
}

export function enlistmentAvailability({
  closed,
  currentAcademicYear,
  full = [],
}: Offered): EnlistmentAvailability {
  const now = full.filter(({ academicYear }) => academicYear === currentAcademicYear)
  return { isOpen: closed === null, full: now.map(({ component }) => component) }
}

function isOnline(component: string): boolean {
  return registrationComponents.some((one) => one === component)
}
