import * as z from 'zod/mini'

/** True or false. A form can send neither: it sends their names. */
export function yesOrNo(error: string) {
  return z.pipe(
    z.union([z.boolean(), z.enum(['true', 'false'])], { error }),
    z.transform((value) => value === true || value === 'true'),
  )
}
