import { Dialog } from '@base-ui/react/dialog'
import { Menu as MenuIcon, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { IconButton } from '#web/components/button.tsx'
import { backdropLook } from '#web/components/modal.tsx'
import { SiteBrand } from './site-brand.tsx'

/** From the mobile breakpoint of spec §9 on, the menu stands beside the page. */
const wideScreen = '(width >= 48rem)'

interface MenuDrawerProps {
  renderMenu: (onChoose: () => void) => ReactNode
}

/**
 * The side menu on narrow screens: it slides over the page from the left. Escape and a press outside close it,
 * and the focus goes back to its button.
 */
export function MenuDrawer({ renderMenu }: MenuDrawerProps) {
  const [isOpen, setIsOpen] = useState(false)

  useEffect(() => {
    // A turned tablet: the page would stay dimmed behind a menu that is there twice.
    const screen = window.matchMedia(wideScreen)
    const close = () => setIsOpen(false)
    screen.addEventListener('change', close)
    return () => screen.removeEventListener('change', close)
  }, [])

  return (
    <Dialog.Root open={isOpen} onOpenChange={setIsOpen}>
      <Dialog.Trigger
        render={
          <IconButton label="Open the menu" size="md" className="md:hidden">
            <MenuIcon aria-hidden="true" className="size-5" />
          </IconButton>
        }
      />
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropLook} />
        <Dialog.Popup className="fixed inset-y-0 left-0 z-40 flex w-72 max-w-[85vw] flex-col gap-6 overflow-y-auto border-r bg-card p-4 text-fg shadow-card outline-hidden transition-transform duration-150 data-ending-style:-translate-x-full data-starting-style:-translate-x-full">
          <Dialog.Title className="sr-only">Menu</Dialog.Title>
          <div className="flex items-center justify-between">
            <SiteBrand />
            <Dialog.Close
              render={
                <IconButton label="Close the menu" size="md">
                  <X aria-hidden="true" className="size-5" />
                </IconButton>
              }
            />
          </div>
          {renderMenu(() => setIsOpen(false))}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
