/** An address that no other device reaches. */
export function isOwnComputer(hostname: string): boolean {
  return /^(localhost$|127\.|\[::1\])/.test(hostname)
}
