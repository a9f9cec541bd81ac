import { Menu } from '@base-ui/react/menu'
import { clsx } from 'clsx'
import { Bookmark, Check, SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { StudentSortKey } from '#shared/students/students.ts'
import { Button, SmallButton } from '#web/components/button.tsx'
import { TextField } from '#web/components/field.tsx'
import { Modal } from '#web/components/modal.tsx'
import { listKey, type StudentsNavigation } from './list-address.ts'
import { pageSizes, useHiddenColumns, useListView, useWriteView } from './list-view.ts'
import type { ListLayout } from './student-columns.tsx'

const maxViews = 12
const maxViewName = 40

interface ViewMenuProps {
  layout: ListLayout
  navigation: StudentsNavigation
}

/** Columns, density, rows a page and saved filters. */
export function ViewMenu({ layout, navigation }: ViewMenuProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useListView()
  const writeView = useWriteView()
  const hidden = useHiddenColumns(navigation.address.query)
  // Columns that are hidden because of a filter are not counted.
  const hiddenCount = layout.columns.filter(({ sort }) => view.hidden?.includes(sort)).length
  const [isNaming, setNaming] = useState(false)
  const path = savedPath(layout, navigation)
  const current = view.saved.find((saved) => saved.path === path)

  function toggleColumn(column: StudentSortKey, isShown: boolean) {
    const others = hidden.filter((name) => name !== column)
    writeView({ ...view, hidden: isShown ? others : [...others, column] })
  }

  return (
    // The menu is inside, so that it belongs to the page's content.
    <div ref={place} className="relative">
      <Menu.Root modal={false}>
        <Menu.Trigger
          render={
            <SmallButton icon={SlidersHorizontal}>
              Display
              {hiddenCount > 0 && (
                <span className="font-normal text-muted max-lg:hidden"> · {hiddenCount} hidden</span>
              )}
            </SmallButton>
          }
        />
        <Menu.Portal container={place}>
          <Menu.Positioner
            positionMethod="fixed"
            align="end"
            sideOffset={6}
            collisionPadding={8}
            className="z-30"
          >
            <Menu.Popup className="max-h-(--available-height) min-w-[min(14rem,var(--available-width))] max-w-(--available-width) md:min-w-84 overflow-y-auto rounded-box border bg-card p-1 text-sm text-fg shadow-card outline-hidden">
              <Menu.Group className="grid grid-cols-2 max-lg:hidden">
                <GroupTitle>Columns</GroupTitle>
                {layout.columns.slice(1).map(({ label, sort }) => (
                  <Menu.CheckboxItem
                    key={sort}
                    checked={!hidden.includes(sort)}
                    onCheckedChange={(isShown) => toggleColumn(sort, isShown)}
                    className={itemClass}
                  >
                    <Mark kind="checkbox" />
                    {label}
                  </Menu.CheckboxItem>
                ))}
              </Menu.Group>
              <Menu.RadioGroup
                value={view.isRoomy}
                onValueChange={(isRoomy) => writeView({ ...view, isRoomy })}
                className="grid grid-cols-2 max-lg:hidden"
              >
                <GroupTitle>Row height</GroupTitle>
                <Choice value={false}>Compact</Choice>
                <Choice value={true}>Comfortable</Choice>
              </Menu.RadioGroup>
              <Menu.RadioGroup
                value={view.pageSize}
                onValueChange={(pageSize) => {
                  writeView({ ...view, pageSize })
                  navigation.show({ page: 1 }, { replace: true })
                }}
                className="grid grid-cols-2"
              >
                <GroupTitle>Rows per page</GroupTitle>
                {pageSizes.map((size) => (
                  <Choice key={size} value={size}>
                    {size}
                  </Choice>
                ))}
              </Menu.RadioGroup>
              {Object.keys(view.widths).length > 0 && (
                <Menu.Item
                  className={clsx(itemClass, 'max-xl:hidden')}
                  onClick={() => writeView({ ...view, widths: {} })}
                >
                  Reset column widths
                </Menu.Item>
              )}
              <Menu.Group>
                <GroupTitle>Saved views</GroupTitle>
                {current ? (
                  <Menu.Item
                    className={itemClass}
                    onClick={() =>
                      writeView({ ...view, saved: view.saved.filter((saved) => saved !== current) })
                    }
                  >
                    Remove “{current.name}”
                  </Menu.Item>
                ) : (
                  <Menu.Item
                    className={itemClass}
                    disabled={view.saved.length >= maxViews}
                    onClick={() => setNaming(true)}
                  >
                    Save these filters…
                  </Menu.Item>
                )}
              </Menu.Group>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      <NameViewModal
        open={isNaming}
        onClose={() => setNaming(false)}
        onName={(name) => {
          const others = view.saved.filter((saved) => saved.name !== name)
          writeView({ ...view, saved: [...others, { name, path }] })
          setNaming(false)
        }}
      />
    </div>
  )
}

function savedPath(layout: ListLayout, { address }: StudentsNavigation): string {
  return listKey({ ...address.query, search: '', page: 1 }, layout)
}

const itemClass =
  'flex min-h-8 cursor-default items-center gap-2.5 rounded-box px-3 outline-hidden select-none data-disabled:text-muted data-highlighted:bg-soft max-md:min-h-11'

function GroupTitle({ children }: { children: ReactNode }) {
  return (
    <Menu.GroupLabel className="col-span-full px-3 pt-2 pb-1 text-xs font-semibold text-muted">
      {children}
    </Menu.GroupLabel>
  )
}

function Mark({ kind }: { kind: 'checkbox' | 'radio' }) {
  const Indicator = kind === 'checkbox' ? Menu.CheckboxItemIndicator : Menu.RadioItemIndicator
  return (
    <span className="size-4">
      <Indicator>
        <Check className="size-4" />
      </Indicator>
    </span>
  )
}

function Choice({ value, children }: { value: unknown; children: ReactNode }) {
  return (
    <Menu.RadioItem value={value} className={itemClass}>
      <Mark kind="radio" />
      {children}
    </Menu.RadioItem>
  )
}

interface NameViewModalProps {
  open: boolean
  onClose: () => void
  onName: (name: string) => void
}

function NameViewModal({ open, onClose, onName }: NameViewModalProps) {
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  return (
    <Modal open={open} onClose={onClose} title="Save these filters" size="sm">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() === '') return setError('Please give the view a name.')
          onName(name.trim())
          setName('')
        }}
        className="flex flex-col gap-4"
      >
        <TextField
          name="view-name"
          label="Name of the view"
          hint="Saved on this device. The search is not saved."
          required
          maxLength={maxViewName}
          error={error}
          value={name}
          onChange={({ target }) => {
            setName(target.value)
            setError(undefined)
          }}
        />
        <Button type="submit" size="sm" className="self-end">
          Save
        </Button>
      </form>
    </Modal>
  )
}

/** One link a view; the current one is marked. */
export function SavedViews({ layout, navigation }: ViewMenuProps) {
  const { saved } = useListView()
  const { pathname } = useLocation()
  const current = savedPath(layout, navigation)
  return saved
    .filter(({ path }) => path.startsWith(pathname))
    .map(({ name, path }) => (
      <Link
        key={name}
        to={path}
        aria-current={path === current ? 'page' : undefined}
        className="inline-flex min-h-9 max-w-48 items-center gap-1.5 rounded-box px-2 text-sm font-semibold text-muted hover:bg-soft aria-[current=page]:bg-primary-soft aria-[current=page]:text-primary max-md:min-h-11"
      >
        <Bookmark className="size-4 shrink-0" />
        <bdi className="truncate">{name}</bdi>
      </Link>
    ))
}
