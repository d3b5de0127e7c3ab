// Passwords of eight and more characters that every guesser tries first. Read by the password rule.

const sequences = ['12345678', '123456789', '1234567890', '87654321', '0987654321', '11111111', '00000000', '88888888', '12341234', '11223344', '1q2w3e4r', '1qaz2wsx', 'q1w2e3r4', 'qwertyui', 'qwertyuiop', 'qwerty123', 'qwerty12', 'asdfghjk', 'asdfghjkl', 'zxcvbnm1', 'zaq12wsx', 'abcd1234', 'abc12345', 'abcdefgh', 'a1b2c3d4', 'aaaaaaaa'];
const words = ['password', 'password1', 'password12', 'password123', 'passw0rd', 'p@ssw0rd', 'p@ssword', 'administrator', 'admin123', 'admin1234', 'letmein1', 'letmein123', 'welcome1', 'welcome123', 'iloveyou', 'iloveyou1', 'sunshine', 'princess', 'football', 'baseball', 'superman', 'trustno1', 'starwars', 'whatever', 'jennifer', 'michelle', 'computer', 'internet', 'changeme', 'changeme1', 'secret123', 'mustang1', 'corvette', 'monkey123', 'dragon123', 'master123', 'charlie1', 'liverpool', 'football1', 'baseball1', 'samsung1', 'pokemon1', 'blink182', 'test1234', 'testtest', 'guest1234'];

/** Lower-case passwords that are refused (decisions 0.10). */
export const commonPasswords: ReadonlySet<string> = new Set([...sequences, ...words]);
