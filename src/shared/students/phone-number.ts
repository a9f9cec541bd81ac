/** 09 and nine digits, from "+63 917 123 4567" too; null for what is no mobile number of the Philippines. */
export function mobileNumber(text: string): string | null {
  const digits = text.replace(/[\s().-]/g, '').replace(/^(?:\+|00)?63(?=9\d{9}$)/, '0')
  return /^09\d{9}$/.test(digits) ? digits : null
}

/** "0917 123 4567" for every way to write a mobile number of the Philippines; another number as it is. */
export const phoneText = (text: string): string =>
  mobileNumber(text)?.replace(/^(\d{4})(\d{3})(\d{4})$/, '$1 $2 $3') ?? text
