/** 'CWTS · 2026-2027': the facts that there are, in a line. */
export const factsText = (...facts: (string | false | null | undefined)[]): string =>
  facts.filter(Boolean).join(' · ')
