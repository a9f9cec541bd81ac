import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { arrange, moveTo } from '#web/features/slideshow/slideshow-tab.tsx'
import { safeNextPath } from '#web/lib/next-path.ts'
import {
  closeDialog,
  copyText,
  isShown,
  newKey,
  openDialog,
  readAddress,
  timeLimit,
} from '#web/lib/older-browsers.ts'
import { keyFor } from '#web/lib/sending-key.ts'

// Each function is taken away as the browser named beside it lacks it.
const restores: (() => void)[] = []

function lack(owner: object, name: string) {
  const own = Object.getOwnPropertyDescriptor(owner, name)
  Object.defineProperty(owner, name, { value: undefined, configurable: true, writable: true })
  restores.push(() => {
    if (own) Object.defineProperty(owner, name, own)
    else Reflect.deleteProperty(owner, name)
  })
}

afterEach(() => {
  for (const restore of restores.splice(0).reverse()) restore()
  cleanup()
  vi.useRealTimers()
})

const version4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

test('any browser on plain http has no randomUUID: keys are random all the same', () => {
  lack(crypto, 'randomUUID')
  const keys = Array.from({ length: 50 }, newKey)
  expect(new Set(keys).size).toBe(50)
  for (const key of keys) expect(key).toMatch(version4)
  expect(keyFor(['a mail'], null).key).toMatch(version4)
})

test('Safari 15 has no AbortSignal.timeout: a call ends in time, with the same reason', () => {
  lack(AbortSignal, 'timeout')
  vi.useFakeTimers()
  const signal = timeLimit(30_000)
  vi.advanceTimersByTime(29_999)
  expect(signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' })
})

test('Safari 17.3 has no checkVisibility: what takes no room is hidden', () => {
  lack(Element.prototype, 'checkVisibility')
  const { container } = render(<input />)
  const input = container.querySelector('input')
  const rects = vi.fn<() => DOMRect[]>(() => [])
  if (input) Object.assign(input, { getClientRects: rects })
  expect(input && isShown(input)).toBe(false)
  rects.mockReturnValue([new DOMRect()])
  expect(input && isShown(input)).toBe(true)
})

test('Chrome 119 has no URL.canParse: an address is read, and what is none is nothing', () => {
  lack(URL, 'canParse')
  expect(readAddress('https://nstp.school.edu.ph/x')?.hostname).toBe('nstp.school.edu.ph')
  expect(readAddress('nstp.school.edu.ph')).toBeNull()
  expect(safeNextPath('/students?tab=archived')).toBe('/students?tab=archived')
  expect(safeNextPath('//evil.example')).toBe('/admin')
})

test('Safari 15 has no URL.parse either', () => {
  lack(URL, 'parse')
  expect(readAddress('/b', 'https://a.example')?.href).toBe('https://a.example/b')
})

test.each(['toSorted', 'toSpliced', 'toReversed', 'with', 'findLast'])(
  'Firefox 97 has no %s: slides are ordered',
  (name) => {
    lack(Array.prototype, name)
    const slides = ['a', 'b', 'c'].map((id) => ({ id }))
    expect(arrange(slides, ['c', 'a']).map(({ id }) => id)).toEqual(['c', 'a', 'b'])
    expect(slides.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(moveTo(['a', 'b', 'c'], 'a', 2)).toEqual(['b', 'c', 'a'])
  },
)

test('Firefox 97 has no dialogs: an announcement is shown and closed', () => {
  lack(HTMLDialogElement.prototype, 'showModal')
  lack(HTMLDialogElement.prototype, 'close')
  const { container } = render(<dialog />)
  const dialog = container.querySelector('dialog')
  if (!dialog) throw new Error('not rendered')
  openDialog(dialog)
  expect(dialog.hasAttribute('open')).toBe(true)
  closeDialog(dialog)
  expect(dialog.hasAttribute('open')).toBe(false)
})

test('any browser on plain http has no clipboard: a text is copied by a selection', async () => {
  lack(navigator, 'clipboard')
  let copied: string | undefined
  const copy = vi.fn<() => boolean>(() => {
    copied = document.querySelector('textarea')?.value
    return true
  })
  Object.assign(document, { execCommand: copy })
  restores.push(() => Reflect.deleteProperty(document, 'execCommand'))
  expect(await copyText('http://192.168.1.20:3000/register')).toBe(true)
  expect(copied).toBe('http://192.168.1.20:3000/register')
  expect(document.querySelector('textarea')).toBeNull()
  copy.mockReturnValue(false)
  expect(await copyText('x')).toBe(false)
})
