/** Texts of about `characters` each on which the peers' rescue of short conversations fails. */
const repeat = (piece: (index: number) => string, characters: number): string => {
  let text = ''
  for (let index = 0; text.length < characters; index += 1) text += piece(index)
  return text.slice(0, characters)
}

const CHINESE = '我们决定把重试次数设为五次每次等待两百毫秒然后再试一次如果失败就记录日志'
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

export const RESCUE_TEXTS: Readonly<Record<string, (characters: number) => string>> = {
  'code one-liners': (length) =>
    repeat((index) => `const value${index}=await load(${index},{retry:true});`, length),
  'minified JSON': (length) =>
    `[${repeat((index) => `{"id":${index},"ok":true,"tags":["a","b"]},`, length - 2)}]`,
  'a stream of words': (length) => repeat((index) => `word${index % 97} `, length),
  Chinese: (length) => repeat((index) => CHINESE[(index * 7) % CHINESE.length] ?? '', length),
  base64: (length) => repeat((index) => BASE64[(index * index * 13 + index) % 64] ?? '', length),
  emoji: (length) => repeat((index) => ['😀', '👩🏽‍🚀', '🇨🇭', '✅'][index % 4] ?? '', length),
  prose: (length) => repeat((index) => `Sentence ${index} says little. `, length),
}
