/** Does something at once, and again at the end of each span in which it was asked for: bursts become a few. */
export function calmly(act: () => void, everyMs: number): { ask: () => void; end: () => void } {
  let timer: NodeJS.Timeout | undefined
  let isAsked = false

  function actNow(): void {
    isAsked = false
    act()
    timer = setTimeout(() => {
      timer = undefined
      if (isAsked) actNow()
    }, everyMs)
  }

  return {
    ask() {
      isAsked = true
      if (!timer) actNow()
    },
    /** Does at once what is still asked for. */
    end() {
      clearTimeout(timer)
      timer = undefined
      if (isAsked) act()
      isAsked = false
    },
  }
}
