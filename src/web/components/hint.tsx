import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

/** A small sentence that explains what is beside it. */
export function Hint({ className, ...paragraph }: ComponentProps<'p'>) {
  return <p {...paragraph} className={clsx('text-sm text-muted', className)} />
}
