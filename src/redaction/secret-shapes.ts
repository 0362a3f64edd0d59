/**
 * Shapes of secrets that the library's preset leaves to others: texts that carry a credential by their
 * form rather than by their vendor. Each pattern is linear: one bounded or unambiguous run of characters.
 */
export const SECRET_SHAPES: readonly RegExp[] = [
  // RFC 7468: a private key is its whole block, be its line ends real or written as `\n`.
  /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY-----(?:\s{0,4}[A-Za-z-]{1,40}: [^\n]{0,200}\n){0,4}[A-Za-z0-9+/=\s\\]{0,32768}(?:-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY-----)?/g,
  // RFC 7519: three base64url runs, of which the first two are JSON objects.
  /(?<![\w-])eyJ[\w-]{8,4096}\.eyJ[\w-]{8,8192}\.[\w-]{16,4096}/g,
  // RFC 6750 and RFC 7617, as in a header that was pasted or logged.
  /(?<=\b(?:authorization|proxy-authorization)["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic|token)\s{1,4})[\w.~+/=-]{12,8192}/gi,
  // RFC 3986, userinfo: the password of a URL.
  /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{1,100}:)[^\s@/]{3,200}(?=@)/gi,
  // Assignments whose name says what the value is; the value has to look like no word.
  /(?<=\b[\w-]{0,40}(?:secret|passwd|password|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?token)["']?\s{0,4}[:=]\s{0,4}["']?)(?=[^\s"',;]{0,199}\d)[^\s"',;]{12,200}/gi,
]
