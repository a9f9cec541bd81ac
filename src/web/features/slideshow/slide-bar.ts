import { clsx } from 'clsx'

/** So many dots stand between the buttons of a phone, 44 px wide each; more of them get rows of their own. */
const mostBetween = 4

/** The row of buttons below the slides. */
export const barLook =
  'flex min-h-14 flex-wrap items-center gap-1 px-2 max-md:gap-0 max-md:px-1 md:flex-nowrap'

/** The dots between them. @param count of the slides */
export function dotsLook(count: number): string {
  return clsx(
    'flex min-w-0 flex-1 flex-wrap justify-center',
    count > mostBetween && 'max-md:order-last max-md:basis-full',
  )
}

/** What can be pressed of one dot. @param count of the slides */
export function dotLook(count: number): string {
  return clsx('h-11', count > mostBetween ? 'w-11' : 'max-w-11 min-w-6 flex-1')
}
