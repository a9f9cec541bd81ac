import { Menu as BaseMenu } from '@base-ui/react/menu'
import { clsx } from 'clsx'
import { Ellipsis } from 'lucide-react'
import { Fragment, type ReactElement, type ReactNode, useRef } from 'react'
import { Link } from 'react-router'
import { IconButton, type IconType } from './button.tsx'

interface MenuItem {
  label: string
  icon?: IconType
  danger?: boolean | undefined
  disabled?: boolean
}

export type MenuAction = MenuItem & { onSelect: () => void }

export type MenuEntry = MenuAction | (MenuItem & ({ to: string; replace?: boolean } | { href: string }))

interface MenuProps {
  trigger: ReactElement
  entries: readonly MenuEntry[]
  heading?: ReactNode
  align?: 'start' | 'end'
}

const entryClass =
  'flex min-h-9 w-full items-center gap-3 rounded-box px-3 text-left text-sm outline-hidden select-none data-disabled:text-muted data-highlighted:bg-soft'

export function Menu({ trigger, entries, heading, align = 'end' }: MenuProps) {
  const place = useRef<HTMLDivElement>(null)
  return (
    // The menu is in its place of the page, so that it belongs to its landmark; fixed, so that no table cuts it.
    <div ref={place} className="contents">
      <BaseMenu.Root modal={false}>
        <BaseMenu.Trigger render={trigger} />
        <BaseMenu.Portal container={place}>
          <BaseMenu.Positioner
            positionMethod="fixed"
            align={align}
            sideOffset={6}
            collisionPadding={8}
            className="z-50 outline-hidden"
          >
            <BaseMenu.Popup className="min-w-52 rounded-box border bg-card p-1 text-fg shadow-card outline-hidden">
              {heading && <div className="mb-1 border-b px-3 py-2 text-sm">{heading}</div>}
              {entries.map((entry) => (
                <Fragment key={entry.label}>
                  {entry.danger && <BaseMenu.Separator className="my-1 border-t" />}
                  <Entry entry={entry} />
                </Fragment>
              ))}
            </BaseMenu.Popup>
          </BaseMenu.Positioner>
        </BaseMenu.Portal>
      </BaseMenu.Root>
    </div>
  )
}

function Entry({ entry }: { entry: MenuEntry }) {
  const className = clsx(entryClass, entry.danger && 'text-danger')
  const content = (
    <>
      {entry.icon && <entry.icon className="size-4" />}
      {entry.label}
    </>
  )
  if ('onSelect' in entry) {
    return (
      <BaseMenu.Item onClick={entry.onSelect} disabled={entry.disabled ?? false} className={className}>
        {content}
      </BaseMenu.Item>
    )
  }
  const link =
    'to' in entry
      ? { render: <Link to={entry.to} replace={entry.replace ?? false} /> }
      : { href: entry.href, target: '_blank', rel: 'noreferrer' }
  return (
    <BaseMenu.LinkItem {...link} closeOnClick className={className}>
      {content}
    </BaseMenu.LinkItem>
  )
}

/** What is done with a row. @param of the row's name */
export function RowMenu({ of, entries }: Pick<MenuProps, 'entries'> & { of: string }) {
  const trigger = <IconButton label={`Actions for ${of}`} icon={Ellipsis} className="max-md:size-11" />
  return <Menu trigger={trigger} entries={entries} />
}
