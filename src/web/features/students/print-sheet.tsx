import { Printer, TriangleAlert } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Link } from 'react-router'
import type { StudentRecord } from '#shared/students/student-response.ts'
import { SmallButton } from '#web/components/button.tsx'
import { showToast } from '#web/components/toaster.tsx'
import '#web/features/students/sheet.css'
import sheetStyles from '#web/features/students/sheet.css?inline'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { failureText } from '#web/lib/api-problem.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { useSettings } from '#web/lib/settings.tsx'
import { runAfter } from '#web/lib/timers.ts'
import { StudentSheet } from './sheets.tsx'

/**
 * The printable sheet of a student's component, hidden at first: a button shows and hides it, another prints
 * it. Nothing for a component without a sheet. Give it the student's id as its key, so that another student's
 * sheet starts hidden.
 */
export function StudentSheetPanel({ student }: { student: StudentRecord }) {
  const kind = sheetKindOf(student)
  return kind ? <SheetPanel kind={kind} student={student} /> : null
}

function SheetPanel({ kind, student }: { kind: SheetKind; student: StudentRecord }) {
  const [isShown, setShown] = useState(false)
  const panel = useRef<HTMLElement>(null)
  const stopPrint = useRef<() => void>(undefined)
  const sheetId = useId()
  useEffect(() => () => stopPrint.current?.(), [])

  function toggle() {
    stopPrint.current?.()
    setShown(!isShown)
  }

  function print() {
    stopPrint.current?.()
    setShown(true)
    const printShown = () => printStudentSheet(student, panel.current)
    if (isShown) printShown()
    else stopPrint.current = runAfter(kind.showDelay, printShown)
  }

  const { name, printLabel } = kind
  return (
    <section ref={panel} aria-label={name} className="grid min-w-0 gap-3">
      <div className="flex flex-wrap gap-2">
        <SmallButton aria-expanded={isShown} aria-controls={sheetId} onClick={toggle}>
          {isShown ? `Hide ${name}` : `Show ${name}`}
        </SmallButton>
        <SmallButton icon={Printer} onClick={print}>
          {printLabel}
        </SmallButton>
      </div>
      <div id={sheetId} className="min-w-0" hidden={!isShown}>
        {isShown && <SheetFrame kind={kind} student={student} />}
      </div>
    </section>
  )
}

/** Product 11.4. */
export function StudentForm({ student }: { student: StudentRecord }) {
  const frame = useRef<HTMLDivElement>(null)
  const kind = sheetKindOf(student)
  if (!kind) return <p>{missingFormSentence(student.nstpComponent)}</p>
  return (
    <div ref={frame} className="grid min-w-0 gap-3">
      <div>
        <SmallButton icon={Printer} onClick={() => printStudentSheet(student, frame.current)}>
          {kind.printLabel}
        </SmallButton>
      </div>
      <SheetFrame kind={kind} student={student} />
    </div>
  )
}

function missingFormSentence(component: string): string {
  return component === ''
    ? 'No form available for this student. NSTP component not specified.'
    : `No form available for this student. ${component} has no printable form.`
}

function SheetFrame({ kind: { name, component }, student }: { kind: SheetKind; student: StudentRecord }) {
  const { rotcOfficeAddress } = useSettings()
  return (
    <>
      {student.nstpComponent === 'ROTC' && rotcOfficeAddress === '' && <MissingAddress />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the box scrolls, so the keyboard must reach it */}
      <section className="sheet-scroller" aria-label={`${name} preview`} tabIndex={0}>
        <StudentSheet component={component} student={student} />
      </section>
    </>
  )
}

// Outside of the sheet, so that it is not printed.
function MissingAddress() {
  return (
    <div className="mb-3 flex gap-2 rounded-box bg-amber-soft px-3 py-2 text-sm text-amber print:hidden">
      <TriangleAlert className="mt-0.5 size-4 shrink-0" />
      <p className="flex flex-wrap items-center gap-x-2">
        The ROTC Form has no office address yet.
        <Link
          // The id of the field.
          to={`${tabPath('system-settings')}#rotcOfficeAddress`}
          className="inline-flex items-center font-medium underline underline-offset-4 max-md:min-h-11"
        >
          Add the address
        </Link>
      </p>
    </div>
  )
}

// Time for a hidden sheet to appear before it is printed, in ms.
const kinds = [
  { component: 'ROTC', name: 'ROTC Form', printLabel: 'Print ROTC Form', showDelay: 1000 },
  { component: 'CWTS', name: 'CWTS Form', printLabel: 'Print Form', showDelay: 800 },
] as const

type SheetKind = (typeof kinds)[number]

function sheetKindOf({ nstpComponent }: StudentRecord): SheetKind | undefined {
  return kinds.find(({ component }) => component === nstpComponent)
}

export function SheetBatch({ students, onDone }: { students: readonly StudentRecord[]; onDone: () => void }) {
  const frame = useRef<HTMLDivElement>(null)
  const sheets = students.flatMap((student) => {
    const kind = sheetKindOf(student)
    return kind ? [{ student, component: kind.component }] : []
  })

  const print = useEffectEvent(() => {
    notifySkipped(students.length - sheets.length)
    if (sheets.length === 0 || !frame.current) return onDone()
    printSheets(frame.current)
  })
  const finish = useEffectEvent(onDone)
  useEffect(() => {
    print()
    // The fallback prints the page itself, which needs them until then.
    return runAfter(markerTime, () => finish())
  }, [])

  return createPortal(
    <div ref={frame} aria-hidden="true" className="sheet-batch">
      {sheets.map(({ student, component }) => (
        <StudentSheet key={student.id} component={component} student={student} />
      ))}
    </div>,
    document.body,
  )
}

function notifySkipped(count: number): void {
  if (count === 0) return
  const message =
    `${countOf(count, 'student')} ${count === 1 ? 'was' : 'were'} left out: ` +
    'only the ROTC and CWTS components have a printable form.'
  showToast('warning', message)
}

/** Prints the sheet in `container` and records the print in the audit trail. */
function printStudentSheet({ id }: StudentRecord, container: ParentNode | null): void {
  // Not awaited: a browser opens a pop-up only directly after the click.
  printSheets(container)
  notePrint({ kind: 'sheet', ids: [id], count: 1 }).catch((error: unknown) => {
    showToast('error', failureText('The print could not be recorded in the audit trail', error))
  })
}

// The pause between writing the print window and its dialog, in ms (product 9.15).
const dialogDelay = 250
// Browsers report the end of printing while they may still be reading the window. In ms.
const closeDelay = 1000
// How long a form stays marked as being printed, in ms.
const markerTime = 2000
// Product 9.14. Only in the print document.
const pageStyles = '@page { size: A4 portrait; margin: 12.7mm } body { margin: 0; background: #fff }'

const titles: Record<string, string> = { rotc: 'ROTC Form', cwts: 'CWTS Form' }
const mixedTitle = 'ROTC and CWTS Forms'

/**
 * Prints all sheets in `container` as one job: from a new window, from a hidden frame where
 * pop-ups are blocked, or as the page itself if both fail.
 */
function printSheets(container: ParentNode | null): void {
  const forms = [...(container?.querySelectorAll<HTMLElement>('[data-sheet]') ?? [])]
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

// If the page itself is printed, sheet.css leaves only the marked forms on it.
function mark(form: HTMLElement): void {
  form.dataset.printing = ''
  runAfter(markerTime, () => {
    delete form.dataset.printing
  })
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

function print(forms: readonly HTMLElement[], target: Window, close: () => void): void {
  writeForms(forms, target.document)
  target.addEventListener('afterprint', () => runAfter(closeDelay, close))
  runAfter(dialogDelay, () => {
    try {
      target.print()
    } catch (error) {
      report('Error during printing:', error)
      close()
      window.print()
    }
  })
}

function writeForms(forms: readonly HTMLElement[], target: Document): void {
  // An empty window is in quirks mode, which renders tables differently; the doctype prevents that.
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
 * The styles are in a constructed style sheet: the window inherits the page's Content-Security-Policy,
 * which refuses style elements added by scripts.
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

// Print failures go to the console (product 9.15); the next way of printing is tried.
function report(message: string, ...details: unknown[]): void {
  // biome-ignore lint/suspicious/noConsole: product 9.15
  console.warn(message, ...details)
}

// The greatest `data-fit` in sheet.css.
const tightest = 4
const tightestOnOnePage = 1

// A4 without its margins of 12.7 mm, in CSS pixels, minus a tolerance for printer rounding.
const pageHeight = ((297 - 2 * 12.7) / 25.4) * 96 - 6

interface Fit {
  pages: 1 | 2
  /** The level of tightness of each part. */
  levels: readonly number[]
}

/**
 * Fits a sheet of two parts on whole pages: both on one page where that is allowed and
 * possible, else a page each, as tight as it needs. Two parts, because a second page with nothing but the
 * signature on it would be a waste. A part that fits no page continues on the next: nothing is cut off.
 *
 * @param heights of the parts, from the loosest level to the tightest
 */
export function chooseFit(heights: readonly (readonly number[])[], mayShareOnePage: boolean): Fit {
  for (const [level, parts] of heights.slice(0, tightestOnOnePage + 1).entries()) {
    const total = parts.reduce((sum, height) => sum + height, 0)
    if (mayShareOnePage && total <= pageHeight) return { pages: 1, levels: parts.map(() => level) }
  }
  const loosestThatFits = (part: number) => {
    const level = heights.findIndex((parts) => (parts[part] ?? 0) <= pageHeight)
    return level === -1 ? heights.length - 1 : level
  }
  return { pages: 2, levels: (heights[0] ?? []).map((_, part) => loosestThatFits(part)) }
}

/** Tighter levels of spacing would not change on how many pages the sheet fits. */
export function isSettled(heights: readonly (readonly number[])[], mayShareOnePage: boolean): boolean {
  const { pages, levels } = chooseFit(heights, mayShareOnePage)
  if (pages === 1 || heights.length > tightest) return true
  const maySqueeze = mayShareOnePage && heights.length <= tightestOnOnePage
  return !maySqueeze && levels.every((level, part) => (heights[level]?.[part] ?? 0) <= pageHeight)
}

/**
 * Measures all sheets at one level before the next, and only those that need it: each change of level forces a layout.
 */
function fitPages(sheets: readonly HTMLElement[]): void {
  const fits = sheets.map((sheet) => ({
    sheet,
    parts: [...sheet.querySelectorAll<HTMLElement>('.sheet-page')],
    mayShareOnePage: sheet.dataset.sheet === 'cwts',
    heights: [] as number[][],
  }))
  for (let open = fits, level = 0; open.length > 0; level++) {
    for (const { parts } of open) for (const part of parts) part.dataset.fit = String(level)
    for (const { parts, heights } of open) {
      heights.push(parts.map((part) => part.getBoundingClientRect().height))
    }
    open = open.filter(({ heights, mayShareOnePage }) => !isSettled(heights, mayShareOnePage))
  }
  for (const { sheet, parts, heights, mayShareOnePage } of fits) {
    const { pages, levels } = chooseFit(heights, mayShareOnePage)
    for (const [index, part] of parts.entries()) part.dataset.fit = String(levels[index] ?? tightest)
    sheet.dataset.pages = String(pages)
  }
}

interface PrintNote {
  kind: 'list' | 'sheet'
  count: number
  ids?: string[]
}

/** Records a print in the audit trail. @throws ApiProblem */
export async function notePrint(note: PrintNote): Promise<void> {
  await callApi(api.students.prints.$post({ json: note }))
}
