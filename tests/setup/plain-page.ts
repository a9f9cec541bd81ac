import { isShown, type PlainPage } from './plain-browser.ts'

/** The text of the first element that a selector finds and the page shows. */
export function textOf({ document }: PlainPage, selector: string): string | undefined {
  return [...document.querySelectorAll(selector)].find(isShown)?.textContent.trim()
}

/** What a text field or select says. */
export function answerOf({ document }: PlainPage, name: string): string | undefined {
  return document.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value
}

/** The values of the ticked boxes or radio buttons of a name. */
export function tickedOf({ document }: PlainPage, name: string): string[] {
  const ticks = document.querySelectorAll<HTMLInputElement>(`[name="${name}"]`)
  return [...ticks].filter(({ checked }) => checked).map(({ value }) => value)
}

/** All that the page, or a part of it, shows, in one line. */
export function shownText({ document }: PlainPage, part: Element = document.body): string {
  const walker = document.createTreeWalker(part, 4)
  const texts: string[] = []
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode
    const isRead =
      parentElement && !parentElement.closest('script, style, template') && isShown(parentElement)
    if (isRead) texts.push(textContent ?? '')
  }
  return texts.join('').replace(/\s+/g, ' ')
}

/** The code of a confirmation, which an opened one covers. */
export function referenceOf(page: PlainPage): string {
  const covered = page.document.querySelector('#code')?.textContent ?? ''
  const [code, ...others] = `${shownText(page)} ${covered}`.match(/NSTP-[2-9A-Z]{4}-[2-9A-Z]{4}/g) ?? []
  if (!code || others.some((other) => other !== code)) throw new Error('the page shows no single code')
  return code
}
