import { fitPages } from './fit-pages.ts'
import sheetStyles from './sheet.css?inline'

/** Time between writing the print window and its dialog, in ms (spec §9). */
const dialogDelay = 250
/** Browsers tell the end of printing while they may still be reading the window; time for that, in ms. */
const closeDelay = 1000
/** How long a form stays marked as the one that is being printed, in ms (spec §2). */
const markerTime = 2000
/** A4 portrait with the margin of spec §9. Only in the print document: the product's own pages keep theirs. */
const pageStyles = '@page { size: A4 portrait; margin: 12.7mm } body { margin: 0; background: #fff }'

const titles = { rotc: 'ROTC Form', cwts: 'CWTS Form' }

/**
 * Prints the sheet found in `container`, the ROTC form before the CWTS form: from a new window, or from a
 * hidden frame where the browser blocks pop-ups, or as the page itself if both fail.
 */
export function printSheet(container: ParentNode = document): void {
  try {
    const form = findForm(container)
    if (form === null) {
      report('Form not found')
      return
    }
    mark(form)
    printForm(form)
  } catch (error) {
    report('Error during printing:', error)
    window.print()
  }
}

function findForm(container: ParentNode): HTMLElement | null {
  return (
    container.querySelector<HTMLElement>('[data-sheet="rotc"]') ??
    container.querySelector<HTMLElement>('[data-sheet="cwts"]')
  )
}

/** Marks the form: should the page itself have to print, sheet.css then leaves only the marked form on it. */
function mark(form: HTMLElement): void {
  form.dataset.printing = ''
  setTimeout(() => delete form.dataset.printing, markerTime)
}

function printForm(form: HTMLElement): void {
  const target = window.open('', '_blank')
  if (target) {
    print(form, target, () => target.close())
    target.focus()
    return
  }
  report('Failed to open print window. Please check if pop-ups are blocked.')
  printFromFrame(form)
}

function printFromFrame(form: HTMLElement): void {
  const frame = document.createElement('iframe')
  frame.title = titleOf(form)
  frame.tabIndex = -1
  frame.setAttribute('aria-hidden', 'true')
  // Out of sight but laid out: what isn't laid out doesn't print, and its pages couldn't be measured.
  Object.assign(frame.style, {
    position: 'fixed',
    left: '-300mm',
    width: '210mm',
    height: '297mm',
    border: '0',
  })
  document.body.append(frame)
  const target = frame.contentWindow
  if (target === null) throw new Error('The print frame has no window.')
  print(form, target, () => frame.remove())
}

/** Writes the form into an empty window, opens the print dialog and, when that is done, calls `close`. */
function print(form: HTMLElement, target: Window, close: () => void): void {
  writeForm(form, target.document)
  target.addEventListener('afterprint', () => setTimeout(close, closeDelay))
  setTimeout(() => {
    try {
      target.print()
    } catch (error) {
      report('Error during printing:', error)
      close()
      window.print()
    }
  }, dialogDelay)
}

function writeForm(form: HTMLElement, target: Document): void {
  // An empty window is in quirks mode, in which tables look different; the doctype ends that.
  target.open()
  target.write('<!doctype html><html lang="en"><head></head><body></body></html>')
  target.close()
  target.title = titleOf(form)
  const style = target.createElement('style')
  // The window inherits the page's Content-Security-Policy, which asks for its nonce.
  style.nonce = document.querySelector<HTMLElement>('script[nonce]')?.nonce ?? ''
  style.textContent = pageStyles + sheetStyles
  target.head.append(style)
  const sheet = target.importNode(form, true)
  target.body.append(sheet)
  fitPages(sheet)
}

function titleOf(form: HTMLElement): string {
  return form.dataset.sheet === 'rotc' ? titles.rotc : titles.cwts
}

/** Spec §8: what goes wrong while printing is told in the console; the paper still comes out another way. */
function report(message: string, ...details: unknown[]): void {
  // biome-ignore lint/suspicious/noConsole: the specification names the console
  console.warn(message, ...details)
}
