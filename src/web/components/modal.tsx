import { Dialog } from '@base-ui/react/dialog'
import { clsx } from 'clsx'
import { X } from 'lucide-react'
import {
  createContext,
  Fragment,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { useIgnoreOpeningKey } from '#web/lib/focus.ts'
import { IconButton } from './button.tsx'

/** `side`: a sheet at the right edge of the screen. */
type ModalSize = 'sm' | 'md' | 'lg' | 'xl' | 'side'

const widths: Record<ModalSize, string> = {
  sm: 'max-w-md',
  md: 'max-w-2xl',
  lg: 'max-w-4xl',
  xl: 'max-w-6xl',
  side: 'max-w-2xl rounded-r-none! data-ending-style:translate-x-8 data-starting-style:translate-x-8',
}

export const backdropClass =
  'fixed inset-0 z-40 bg-pine-deep/60 transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0'

const popupClass =
  'rounded-box border bg-card text-fg shadow-card outline-hidden transition duration-150 data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0'

interface ModalProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  size?: ModalSize
  /** The modal's foot. If it is absent, the content has a ModalFoot. */
  footer?: ReactNode
  focusBack?: (() => HTMLElement | true) | undefined
  children: ReactNode
}

// The first field or what is marked, but not on touch screens: the keyboard would hide the form.
function focusFirst(popup: HTMLElement | null): HTMLElement | true {
  if (window.matchMedia('(pointer: coarse)').matches) return true
  return popup?.querySelector<HTMLElement>('form .control:not([disabled]), [data-first]') ?? true
}

/** Used as the `ref` of content that loads after its modal has opened: moves the focus into it. */
export function focusLoaded(content: HTMLElement | null): void {
  const popup = content?.closest<HTMLElement>('[role="dialog"]') ?? null
  const focused = document.activeElement
  // Unless the user moved it.
  const isUntouched = focused === document.body || focused === popup || Boolean(focused?.closest('header'))
  const first = popup && isUntouched && focusFirst(popup)
  if (first instanceof HTMLElement) first.focus()
}

/** Closes on Escape, its button and a press outside. Traps the focus and restores it. Each opening begins anew. */
export function Modal({ open, onClose, title, size = 'md', footer, focusBack, children }: ModalProps) {
  const popup = useRef<HTMLDivElement>(null)
  const [foot, setFoot] = useState<HTMLElement | null>(null)
  const ignoreOpeningKey = useIgnoreOpeningKey()
  const { key } = useLastShown(open || null)
  return (
    <Dialog.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        {/* Also over another modal, when one asks something. */}
        <Dialog.Backdrop forceRender className={backdropClass} />
        <Dialog.Viewport
          className={clsx(
            'fixed inset-0 z-40 flex',
            size === 'side' ? 'justify-end' : 'items-center justify-center p-[12px] sm:p-[24px]',
          )}
        >
          <Dialog.Popup
            {...ignoreOpeningKey}
            ref={popup}
            initialFocus={() => focusFirst(popup.current)}
            finalFocus={focusBack}
            className={clsx(
              popupClass,
              'flex max-h-full w-full min-w-0 flex-col',
              // Controls are a finger high on a phone, and no field zooms the page (see controlSize).
              'max-md:[&_.control]:min-h-11 max-md:[&_.control]:text-base max-md:[&_button]:min-h-11',
              widths[size],
            )}
          >
            <header className="flex items-center gap-4 border-b py-3 pr-[12px] pl-[20px]">
              <Dialog.Title className="min-w-0 flex-1 text-lg font-semibold">{title}</Dialog.Title>
              <Dialog.Close render={<IconButton label="Close" size="md" icon={X} />} />
            </header>
            <FootContext value={foot}>
              <ModalBody key={key}>{children}</ModalBody>
            </FootContext>
            {/* Stays away while there is nothing in it. */}
            <footer className="flex flex-wrap justify-end gap-2 border-t px-[20px] py-3 has-[>:only-child:empty]:hidden">
              {footer || <div ref={setFoot} className="contents" />}
            </footer>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface ModalOfProps<Thing> extends Omit<ModalProps, 'open' | 'title' | 'children'> {
  /** What it is about; null closes it. */
  thing: Thing | null
  title: string | ((thing: Thing) => ReactNode)
  children: (thing: Thing) => ReactNode
}

/** While it fades out, it still shows the former thing. For another thing it begins anew. */
export function ModalOf<Thing>({ thing, title, children, ...modal }: ModalOfProps<Thing>) {
  const { last, key } = useLastShown(thing)
  const heading = typeof title === 'string' ? title : last !== null && title(last)
  return (
    <Modal {...modal} open={thing !== null} title={heading}>
      {last !== null && <Fragment key={key}>{children(last)}</Fragment>}
    </Modal>
  )
}

const FootContext = createContext<HTMLElement | null>(null)

/** The buttons of a form inside of a modal, in the modal's foot. */
export function ModalFoot({ children }: { children: ReactNode }) {
  const foot = useContext(FootContext)
  return foot && createPortal(children, foot)
}

// Mounted with the content, so that it is measured.
function ModalBody({ children }: { children: ReactNode }) {
  const body = useScrollByKeys<HTMLDivElement>()
  return (
    <div ref={body} className="min-h-0 flex-1 overflow-y-auto px-[20px] py-5">
      {children}
    </div>
  )
}

const tabbable = 'a[href], :is(button, input, select, textarea):not(:disabled), [tabindex="0"]'

/** Makes an overflowing element focusable when nothing inside is. */
function useScrollByKeys<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null)
  // The effect runs after each render, which may have brought or taken content, and when the room changes.
  useEffect(() => {
    const scrolled = element.current
    if (!scrolled) return
    const update = () => {
      const isNeeded =
        scrolled.scrollHeight > scrolled.clientHeight && scrolled.querySelector(tabbable) === null
      if (isNeeded) scrolled.tabIndex = 0
      else scrolled.removeAttribute('tabindex')
    }
    update()
    const observer = new ResizeObserver(update)
    observer.observe(scrolled)
    for (const child of scrolled.children) observer.observe(child)
    return () => observer.disconnect()
  })
  return element
}

/** What a modal shows: while it fades out, still the former thing. `key` is another one for each opening. */
export function useLastShown<Thing>(opened: Thing | null) {
  const [before, setBefore] = useState(opened)
  const [opening, setOpening] = useState({ last: opened, key: 0 })
  if (opened !== before) {
    setBefore(opened)
    if (opened !== null) setOpening({ last: opened, key: opening.key + 1 })
  }
  return opening
}
