import { Dialog } from '@base-ui/react/dialog'
import { Menu as MenuIcon, X } from 'lucide-react'
import { type ReactNode, useContext, useState, useSyncExternalStore } from 'react'
import { SiteBrand } from '#web/components/brand.tsx'
import { IconButton } from '#web/components/button.tsx'
import { backdropClass } from '#web/components/modal.tsx'
import { useHydrated } from '#web/lib/hydrated.ts'
import { useNarrowScreen } from '#web/lib/media-query.ts'
import { Nonce } from '#web/lib/nonce.ts'
import { createStoredText } from '#web/lib/stored-text.ts'

/** A phone's menu (product 8.2). Escape and a press outside close it; the focus returns to its button. */
export function MenuDrawer({ renderMenu }: { renderMenu: (onChoose: () => void) => ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  // A turned tablet: the page would stay dimmed behind a menu that is there twice.
  const isNarrow = useNarrowScreen()
  return (
    <Dialog.Root open={isOpen && isNarrow} onOpenChange={setIsOpen}>
      <Dialog.Trigger
        render={<IconButton label="Open menu" size="md" className="md:hidden" icon={MenuIcon} />}
      />
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup className="fixed inset-y-0 left-0 z-40 flex w-72 max-w-[85vw] flex-col gap-6 overflow-y-auto border-r bg-card p-4 text-fg shadow-card outline-hidden transition-transform duration-150 data-ending-style:-translate-x-full data-starting-style:-translate-x-full">
          <Dialog.Title className="sr-only">Menu</Dialog.Title>
          <div className="flex items-center justify-between">
            <SiteBrand />
            <Dialog.Close render={<IconButton label="Close menu" size="md" icon={X} />} />
          </div>
          {renderMenu(() => setIsOpen(false))}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Puts the menu away where there is no drawer; its state is stored on the device, and the server doesn't know it. */
export function SideMenuToggle({ menuId }: { menuId: string }) {
  const [isHidden, setHidden] = useHiddenMenu()
  return (
    <IconButton
      label="Side menu"
      size="md"
      className="max-md:hidden"
      aria-expanded={!isHidden}
      aria-controls={menuId}
      onClick={() => setHidden(!isHidden)}
      icon={MenuIcon}
    />
  )
}

/** Runs during parsing as the first child of what has `data-menu`, so that a hidden menu never flashes. */
export function HideMenuEarly() {
  const nonce = useContext(Nonce)
  // A script that React adds in the browser wouldn't run, and isn't needed there.
  if (useHydrated()) return null
  return (
    <script
      nonce={nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own text
      dangerouslySetInnerHTML={{ __html: hideMenuScript }}
    />
  )
}

const key = 'nstp-side-menu'
const hidden = 'hidden'

// Where the browser forbids storage, the menu is shown.
const hideMenuScript = `try {
if (localStorage.getItem('${key}') === '${hidden}') document.currentScript.parentElement.dataset.menu = '${hidden}'
} catch {}`

const stored = createStoredText(key)

/** The server renders the menu shown. */
export function useHiddenMenu(): [isHidden: boolean, setHidden: (isHidden: boolean) => void] {
  const state = useSyncExternalStore(stored.subscribe, stored.read, () => null)
  return [state === hidden, (isHidden) => stored.write(isHidden ? hidden : 'shown')]
}
