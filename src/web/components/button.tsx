import { clsx } from 'clsx'
import type { ComponentProps, ComponentType } from 'react'
import { Link } from 'react-router'
import { useTranslation } from '#web/lib/translation.tsx'

type ButtonVariant = 'primary' | 'outline' | 'danger' | 'ghost' | 'gold'
// Touch targets of at least 44 px on phones; sm is for dense admin screens.
type ButtonSize = 'sm' | 'md' | 'lg'

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-primary text-on-primary hover:bg-primary-strong',
  outline: 'border border-edge bg-card text-fg hover:bg-soft',
  danger: 'bg-danger text-on-danger hover:bg-danger-strong',
  ghost: 'text-fg hover:bg-soft',
  gold: 'bg-gold text-on-gold hover:bg-gold-strong',
}

const sizes: Record<ButtonSize, string> = {
  sm: 'min-h-9 px-3 text-sm max-md:min-h-11',
  md: 'min-h-11 px-4 text-base',
  lg: 'min-h-13 px-6 text-lg',
}

export type IconType = ComponentType<{ className?: string }>

interface ButtonStyle {
  variant?: ButtonVariant | undefined
  size?: ButtonSize | undefined
  icon?: IconType | undefined
}

function classOf({ variant = 'primary', size = 'md' }: ButtonStyle, className: string | undefined): string {
  return clsx(
    'inline-flex max-w-full shrink-0 items-center justify-center gap-2 rounded-box py-1.5 text-center font-semibold transition-colors',
    // The label stays readable without scripts and while busy: it is dimmed by colour, not by transparency.
    'disabled:cursor-not-allowed disabled:border disabled:border-line disabled:bg-soft disabled:text-muted',
    'aria-disabled:cursor-not-allowed aria-disabled:border aria-disabled:border-line aria-disabled:bg-soft aria-disabled:text-muted',
    variants[variant],
    sizes[size],
    className,
  )
}

// The default type is 'button', so that it never submits a form by accident.
export function Button(props: ComponentProps<'button'> & ButtonStyle) {
  const { variant, size, icon: Icon, className, type = 'button', children, ...rest } = props
  const t = useTranslation()
  return (
    <button type={type} className={classOf({ variant, size }, className)} {...rest}>
      {Icon && <Icon className={size === 'lg' ? 'size-5' : 'size-4'} />}
      {t(children)}
    </button>
  )
}

export function ButtonLink(props: ComponentProps<typeof Link> & ButtonStyle) {
  const { variant, size, icon: Icon, className, children, ...rest } = props
  const t = useTranslation()
  return (
    <Link className={classOf({ variant, size }, className)} {...rest}>
      {Icon && <Icon className={size === 'lg' ? 'size-5' : 'size-4'} />}
      {t(children)}
    </Link>
  )
}

/** The usual one of the admin screens. */
export function SmallButton(props: ComponentProps<typeof Button>) {
  return <Button variant="outline" size="sm" {...props} />
}

export function SmallLink(props: ComponentProps<typeof ButtonLink>) {
  return <ButtonLink variant="outline" size="sm" {...props} />
}

export function IconButton({
  label,
  size = 'sm',
  icon: Icon,
  className,
  type = 'button',
  ...rest
}: Omit<ComponentProps<'button'>, 'aria-label' | 'title' | 'children'> & {
  label: string
  size?: 'sm' | 'md'
  icon: IconType
}) {
  const t = useTranslation()
  return (
    <button
      type={type}
      aria-label={t(label)}
      title={t(label)}
      className={clsx(
        'inline-flex shrink-0 items-center justify-center rounded-box text-muted transition-colors',
        'hover:bg-soft hover:text-fg disabled:cursor-not-allowed disabled:text-muted',
        'aria-disabled:cursor-not-allowed aria-disabled:hover:bg-transparent aria-disabled:hover:text-muted',
        size === 'sm' ? 'size-9' : 'size-11',
        className,
      )}
      {...rest}
    >
      <Icon className="size-5" />
    </button>
  )
}
