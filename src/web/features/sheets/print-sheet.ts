import { fitPages } from './fit-pages.ts'
import sheetStyles from './sheet.css?inline'

/** Time between writing the print window and its dialog, in ms (spec §9). */
const dialogDelay = 250
/** Browsers tell the end of printing while they may still be reading the window; time for that, in ms. */
const closeDelay = 1000
/** How long a form stays marked as the one that is being printed, in ms (spec §2). */
export const markerTime = 2000
/** A4 portrait with the margin of spec §9. Only in the print document: the product's own pages keep theirs. */
const pageStyles = '@page { size: A4 portrait; margin: 12.7mm } body { margin: 0; background: #fff }'

const titles: Record<string, string> = { rotc: 'ROTC Form', cwts: 'CWTS Form' }
const mixedTitle = 'ROTC and CWTS Forms'

/**
 * Prints the sheet found in `container`, the ROTC form before the CWTS form: from a new window, or from a
 * hidden frame where the browser blocks pop-ups, or as the page itself if both fail.
 */
export function printSheet(container: ParentNode = document): void {
  const form =
    container.querySelector<HTMLElement>('[data-sheet="rotc"]') ??
    container.querySelector<HTMLElement>('[data-sheet="cwts"]')
  printForms(form ? [form] : [])
}

/** Prints all sheets found in `container` as one job, in their order and in the same ways. */
export function printSheets(container: ParentNode): void {
  printForms([...container.querySelectorAll<HTMLElement>('[data-sheet]')])
}

function printForms(forms: readonly HTMLElement[]): void {
  try {
    if (forms.length === 0) {
      report('Form not found')
      return
    }
    for (const form of forms) mark(form)
    printFromWindow(forms)
  } catch (error) {
    report('Error during printing:', error)
    window.print()
  }
}

/** Marks a form: should the page itself have to print, sheet.css then leaves only the marked forms on it. */
function mark(form: HTMLElement): void {
  form.dataset.printing = ''
  setTimeout(() => delete form.dataset.printing, markerTime)
}

function printFromWindow(forms: readonly HTMLElement[]): void {
  const target = window.open('', '_blank')
  if (target) {
    print(forms, target, () => target.close())
    target.focus()
    return
  }
  report('Failed to open print window. Please check if pop-ups are blocked.')
  printFromFrame(forms)
}

function printFromFrame(forms: readonly HTMLElement[]): void {
  const frame = document.createElement('iframe')
  frame.title = titleOf(forms)
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
  print(forms, target, () => frame.remove())
}

/** Writes the forms into an empty window, opens the print dialog and, when that is done, calls `close`. */
function print(forms: readonly HTMLElement[], target: Window, close: () => void): void {
  writeForms(forms, target.document)
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

function writeForms(forms: readonly HTMLElement[], target: Document): void {
  // An empty window is in quirks mode, in which tables look different; the doctype ends that.
  target.open()
  target.write('<!doctype html><html lang="en"><head></head><body></body></html>')
  target.close()
  target.title = titleOf(forms)
  addStyles(target, pageStyles + sheetStyles)
  const sheets = forms.map((form) => target.importNode(form, true))
  target.body.append(...sheets)
  fitPages(sheets)
}

/**
 * By a sheet that is made and not read from the document: the window inherits the page's Content-Security-Policy,
 * which takes no style element that wasn't in the page when it came.
 */
function addStyles(target: Document, styles: string): void {
  const Sheet = target.defaultView?.CSSStyleSheet
  if (Sheet === undefined) throw new Error('The print window is gone.')
  const sheet = new Sheet()
  sheet.replaceSync(styles)
  target.adoptedStyleSheets = [sheet]
}

function titleOf(forms: readonly HTMLElement[]): string {
  const [title = mixedTitle, ...others] = new Set(forms.map((form) => titles[form.dataset.sheet ?? '']))
  return others.length === 0 ? title : mixedTitle
}

/** Spec §8: what goes wrong while printing is told in the console; the paper still comes out another way. */
function report(message: string, ...details: unknown[]): void {
  // biome-ignore lint/suspicious/noConsole: the specification names the console
  console.warn(message, ...details)
}
