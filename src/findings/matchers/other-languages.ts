import { plainText } from '../plain-text.ts';
import type { TextContext, TextHit } from '../rule.ts';
import { intoParameter } from './parameters.ts';
import { secretPaths } from './sensitive-paths.ts';
import { has, hit, nearby, type Signal, sentenceAround, signals, stems } from './signals.ts';
import { addresses } from './words.ts';

/** The plain gravest wordings in the languages that most servers outside of English are written in. */

/** Words as the plain text has them: accents and look-alike letters folded. */
const fold = (list: string): string => list.split('|').map(foldWord).join('|');
const foldWord = (word: string): string => plainText(word).text;
const folded = (list: string): readonly string[] => stems(list).map(foldWord);
/** Beginnings of words of an alphabet. */
const begin = (list: string): string => `(?<!\\p{L})(?:${fold(list)})\\p{L}{0,12}`;
/** Whole words. */
const word = (list: string): string => `(?<!\\p{L})(?:${fold(list)})(?!\\p{L})`;
const pattern = (...sources: string[]): RegExp => new RegExp(sources.join('|'), 'gu');
/** Part of one clause. */
const part = (max: number): string => `[^.,;!?。、\\n]{0,${max}}?`;
/** "Do not forget to tell", "do nothing without telling". */
const NOT_FORGETTING = fold('oubli|olvid|esque|dimentic|забуд|забыв|hésit|dud|sin |sem |sans |senza |без ');
const few = (max: number): string => `(?:[ '](?!${NOT_FORGETTING})[\\p{L}]{1,12}){0,${max}}?[ ']`;

const USER_WORDS =
  'usuari|utilizador|utilisateur|nutzer|benutzer|anwender|utente|utenti|gebruiker|użytkownik|пользовател|юзер|kullanıcı|用户|用戶|使用者|ユーザ|利用者|사용자';
const USER = `(?:${fold(USER_WORDS)})`;
const USER_STEMS = folded(USER_WORDS);

/** Beginnings that no other common word shares, and whole words. */
const TELL_BEGINS =
  'digá|informe|informar|mencion|revele|revelar|révèl|avis|notifi|coment|habl|cuent|mentionn|prévien|préven|averti|reveli|menzion|rivel|avvert|vertel|vermeld|powiedz|wspomin|informuj|говори|сообща|сообщи|рассказ|упомин|уведом|раскры|söyle|bildir|bahset';
const TELL_WORDS =
  'digas|diga|decir|decirle|decirlo|decírselo|contes|conte|contar|dis|dites|dire|parle|parlez|parler|dirlo|dirglielo|parlare|dizer|fale|falar|zeg|meld|mów';
const TELLS = `(?:(?:${fold(TELL_BEGINS)})\\p{L}{0,12}|(?:${fold(TELL_WORDS)}))(?!\\p{L})`;
const ROMANCE_NOT = 'no|nunca|jamás|não|jamais|ne|n|non|mai|не|никогда|nie';
/** Before the verb: Romance and Slavic languages. */
const NOT_TELL = `${word(ROMANCE_NOT)}${few(3)}${TELLS}${part(60)}${USER}`;
const GERMAN_TELL =
  'erwähne|erwähnen|erwähnt werden|sag|sage|sagen|teile|mitteilen|mitzuteilen|verrate|verraten|informiere|informieren|erzähl|erzähle|erzählen|benachrichtige|benachrichtigen|vertel|vertellen|melden|zeg|zeggen|vermeld|vermelden|offenbare|offenbaren';
const GERMAN_NOT = 'nicht(?! nur)|nichts|nie|niemals|kein|keinesfalls|niet|niets|nooit';
const GERMAN = [
  `${begin(GERMAN_TELL)}${part(50)}${USER}\\p{L}{0,4}${part(30)}${word(GERMAN_NOT)}`,
  `${begin(GERMAN_TELL)}${part(40)}${word(GERMAN_NOT)}${part(30)}${USER}`,
  `${USER}\\p{L}{0,4}${part(30)}${word(GERMAN_NOT)}${part(25)}${begin(GERMAN_TELL)}`,
  `${USER}\\p{L}{0,4}${part(6)}(?:${fold('darf|soll|sollte|muss|braucht|dürfen|sollen')})${part(20)}${word(GERMAN_NOT)}${part(14)}(?:${fold('erfahr|merk|bemerk|wissen|sehen|mitbekomm')})`,
  `${begin('verschweig|verheimlich|verberg|verbirg|verzwijg')}${part(40)}${USER}`,
];
/** "The user must not know". */
const MUST_NOT = [
  `${USER}\\p{L}{0,4} ${word('no|não|ne|n|non|не|nie')}[ '](?:${fold('deb|dev|doi|должен|должн|powinien')})\\p{L}{0,6} ${part(12)}(?:${fold('saber|savoir|enterar|sapere|знать|узна|wiedzieć|percebe|apprend|descubr')})`,
  `${word('que|qu')}[ ']${part(4)}${USER}\\p{L}{0,4} ${word('no|não|ne|n')}[ '](?:${fold('lo |se |le |l')}){0,2}(?:${fold('sepa|entere|note|saiba|perceba|sache|apprenne|remarque')})`,
];
const HIDE_VERBS =
  'oculta|oculte|ocultar|esconde|esconda|esconder|cache (?:ce|cela|ceci|cette|le|la|les)|cacher|cachez|dissimule|dissimulez|dissimuler|nascondi|nascondere|скрой|скрывай|скрыть|утаи|ukryj|ukrywaj';
const FROM = "al|a los|a l'|aux|do|ao|dos|all'|dall'|от|przed";
const EAST = [
  `(?:${fold('不要|别|別|勿|不得|不可|不能|不必|无需|無需|禁止|不应|不應')})${part(8)}(?:${fold('告诉|告訴|告知|通知|提及|透露|提到|提醒|让|讓|说明|說明|展示给')})${part(10)}(?:${fold('用户|用戶|使用者|任何人|人类')})`,
  `(?:${fold('瞒着|瞞著|隐瞒|对用户保密|不让用户|不讓用戶|不让使用者|不被用户')})`,
  `(?:${fold('让用户|使用户|在用户|令用户|让使用者|用户')})${part(2)}(?:${fold('不知情|毫不知情|不会察觉|察觉不到')})`,
  `(?:${fold('ユーザ|利用者|使用者')})${part(14)}(?:${fold('知らせず|伝えず|言わず|告げず|知らせない|伝えない|言わない|話さない|知られない|知られず|気づかれ|気付かれ|内緒|秘密に|隠し|黙って|触れない|明かさない|通知せず|通知しない')})`,
  `(?:${fold('사용자')})${part(16)}(?:${fold('알리지|말하지|언급하지|모르게|몰래|밝히지|숨기')})`,
];
const HIDES = pattern(NOT_TELL, ...MUST_NOT, ...GERMAN, ...EAST);
/** "… before it is done": care, not secrecy. */
const UNTIL = pattern(
  `^[^.!?。\\n]{0,60}?(?:${fold('пока|hasta que|jusqu|tant que|bis |solange|até que|enquanto|finché|除非|直到|之前|まで')})`,
);
const CONCEALS = pattern(`${word(HIDE_VERBS)}${part(50)}(?<!\\p{L})(?:${fold(FROM)}) ?${USER}`);
/** "Without telling the user", which a negation before it turns round. */
const WITHOUT = pattern(
  `${word('sin|sem|sans|senza|ohne|zonder|без|bez')}${part(12)}${TELLS}${part(30)}${USER}`,
  `${word('sin|sem|sans|senza')}${few(2)}(?:l')?(?:${fold('el |o |la |lo ')})?${USER}\\p{L}{0,6}${part(14)}(?:${fold('sepa|saiba|sache|note|enter|entér|perceb|aperç|accorg|sappia|conocimiento|remarque')})`,
  `${word('ohne|zonder')}${part(20)}${USER}\\p{L}{0,4}${part(20)}(?:${fold('merk|weiß|weiss|erfährt|informier|mitzuteil|sagen|wissen|weet|bescheid')})`,
  `${word('ohne')} ${part(12)}(?:${fold('wissen|kenntnis')})${part(12)}${USER}`,
  `${word('без')} (?:${fold('ведома|знания|уведомления')}) ${USER}`,
  `${word('sem|sin')} (?:${fold('avis|inform|notific')})\\p{L}{0,8}[- ]?(?:lo|la|le|los|las)?(?=[ .,;!\\n]|$)`,
);
const HIDE_STEMS = folded(
  'ocult|escond|cach|dissimul|nascond|скры|скро|утаи|ukry|sin |sem |sans |senza|ohne|zonder|без|bez',
);

const HIDES_MESSAGE = 'asks the model to keep something from the user';
const NEGATED = pattern(
  `${word('no|nunca|jamás|não|jamais|ne|n|non|mai|nicht|nie|niemals|kein|keine|keinen|не|никогда|niet|nooit|nigdy')}[^.,;!?\\n]{0,90}$`,
);

/** "… without telling the user" is what must not be, as the end of a sentence in Japanese or Korean says. */
const TURNED_AFTER = pattern(
  `^${part(14)}(?:${fold('しないで|せずに|しては|してはいけ|しません|べきでは|禁止|하지 마|하지 않|마십시오|마세요')})`,
);

const isTurned = (text: string, { start }: Signal): boolean =>
  text.slice(Math.max(0, start - 110), start).search(NEGATED) >= 0;

/** Text in another language that wants the user not to know. */
export function hidesInOtherLanguages(context: TextContext): TextHit[] {
  const { text } = context.plain;
  if (context.role === 'name' || !has(text, USER_STEMS)) return [];
  const found =
    signals(text, HIDES).find((one) => text.slice(one.end, one.end + 24).search(TURNED_AFTER) < 0) ??
    (has(text, HIDE_STEMS)
      ? [...signals(text, CONCEALS), ...signals(text, WITHOUT)].find((one) => !isTurned(text, one))
      : undefined);
  if (!found) return [];
  const isMild = text.slice(found.end, found.end + 90).search(UNTIL) >= 0;
  return [{ ...hit(context, HIDES_MESSAGE, found), ...(isMild ? { severity: 'low' as const } : {}) }];
}

const READ_WORDS =
  'lee|lea|leer|leia|ler|abre|abra|abrir|lis|lisez|lire|ouvre|ouvrez|ouvrir|lies|lesen|öffne|öffnen|auslesen|leggi|leggere|apri|lees|open|przeczytaj|odczytaj|прочитай|прочитайте|прочти|читай|открой|откройте|copia|copie|copiar|copier|kopiere|kopieren|скопируй|extrae|extraer|extrais|obtén|obtener|recoge|recopila|colete|reúne|rassemble|sammle|собери|получи|recupera|récupère';
const READS = pattern(
  word(READ_WORDS),
  `(?:${fold('读取|讀取|打开|打開|查看|获取|獲取|收集|复制|複製|读出|読み取|読み込|読んで|開いて|取得|収集|コピー|읽어|읽고|열어|수집')})`,
);
const GIVES_WORDS =
  'incluy|incluir|inclui|inclua|pega|pegue|adjunt|envía|envíe|enviar|manda|pásal|pasa|pone|pon|escrib|coloca|colócal|insert|anex|ajout|inclu|colle|joins|joindr|mets|mettre|envoi|envoy|transm|trag|eintrag|füg|schick|send|sende|übergib|übermittl|gib|leg|allega|invia|metti|stuur|передай|передайте|отправ|вставь|добавь|помест|пришли|перешли|wyślij|wklej|coloque|passe|mande';
const GIVES = pattern(
  begin(GIVES_WORDS),
  `(?:${fold('放入|填入|写入|傳入|传入|传给|發送|发送|上传|上傳|附上|附加|提交|粘贴|送信|渡し|入れ|含め|貼り付け|添付|アップロード|送って|보내|전송|넣어|첨부|전달')})`,
);
const SECRET_WORDS =
  'clave privada|clave ssh|claves|contraseña|credencial|variables de entorno|tarjeta de crédito|senha|chave privada|chaves|variáveis de ambiente|mot de passe|mots de passe|clé privée|clés|identifiants|variables d.environnement|passwör|passwort|kennwör|kennwort|zugangsdaten|privaten schlüssel|privater schlüssel|geheime|umgebungsvariablen|password|chiave privata|credenziali|wachtwoord|hasł|парол|приватный ключ|закрытый ключ|секретн|учетные данные|переменные окружения|ключи|токен|私钥|私鑰|密码|密碼|密钥|密鑰|令牌|凭证|凭据|环境变量|環境變量|秘密鍵|パスワード|環境変数|認証情報|トークン|비밀번호|개인 키|개인키|환경 변수|토큰';
const SECRETS = pattern(`(?:${fold(SECRET_WORDS)})`);
const SECRET_STEMS = folded(SECRET_WORDS.replace('variables d.environnement', 'environnement'));
const FILE = pattern(
  `(?:${fold('archivo|fichero|fichier|datei|arquivo|ficheiro|файл|文件|檔案|ファイル|파일|bestand|plik')})`,
);

const READS_MESSAGE = 'asks for the contents of files or variables that hold secrets';

/** Text in another language that has secrets read and handed over. */
export function readsInOtherLanguages(context: TextContext): TextHit[] {
  if (context.role === 'name') return [];
  const { text } = context.plain;
  for (const path of secretPaths(text)) {
    const read = nearby(text, path, READS, 160, 1);
    if (!read) continue;
    const other = (whole: string, one: Signal): boolean => one.start === read.start || isNegated(whole, one);
    const gives = nearby(text, path, GIVES, 200, 1, other) ?? intoParameter(context, path);
    if (gives) return [hit(context, READS_MESSAGE, path, read, gives)];
  }
  if (!has(text, SECRET_STEMS)) return [];
  for (const secret of signals(text, SECRETS)) {
    const read = nearby(text, secret, READS, 90, 0, isNegated);
    if (!read) continue;
    const other = (whole: string, one: Signal): boolean => one.start === read.start || isNegated(whole, one);
    const gives = nearby(text, secret, GIVES, 120, 1, other) ?? nearby(text, secret, FILE, 20, 0);
    const isSent = addresses(text).length > 0 && nearby(text, secret, GIVES, 120, 0, other);
    if (gives && (isSent || isParameterNamed(context, secret) || hidesInOtherLanguages(context).length > 0))
      return [hit(context, READS_MESSAGE, secret, read, gives)];
  }
  return [];
}

const PARAMETER = pattern(
  `["'\`«「]([a-z][a-z0-9_-]{0,40})["'\`»」]`,
  `(?<![a-z0-9_])([a-z][a-z0-9_-]{0,40}) ?(?:${fold('参数|參數|引数|パラメータ|매개변수|인수|字段|フィールド')})`,
  `(?:${fold('parámetro|paramètre|parâmetro|parametro|параметр|поле|campo|champ|feld|argumento|argument')})\\p{L}{0,3} ([a-z][a-z0-9_-]{0,40})`,
);

/** A parameter of this server's tools is named close to a signal. */
function isParameterNamed(context: TextContext, { start, end }: Signal): boolean {
  const around = context.plain.text.slice(Math.max(0, start - 120), end + 120);
  for (const [, quoted, before, behind] of around.matchAll(PARAMETER))
    if (context.view.parameters.has(quoted ?? before ?? behind ?? '')) return true;
  return intoParameter(context, { start, end, text: '' }) !== undefined;
}

const BEFORE_VERB = pattern(
  `(?:${word('no|nunca|não|jamais|ne|n|non|nicht|keine|не|никогда|niet')}[ '](?:[\\p{L}]{1,6} ){0,2}|(?:${fold('不要|不会|不|别|请勿|勿|切勿')})${part(6)})$`,
);
/** The verb is forbidden, not asked for. */
const isNegated = (text: string, { start }: Signal): boolean =>
  text.slice(Math.max(0, start - 30), start).search(BEFORE_VERB) >= 0;

const PRIVATE = pattern(
  `(?:${fold(SECRET_WORDS)}|${fold('conversación|conversa|conversation|gespräch|unterhaltung|chatverlauf|conversazione|переписк|разговор|聊天记录|对话|對話|会话|会話|대화|datos personales|dados pessoais|données personnelles|persönliche|личные данные|个人信息|個人情報|개인 정보')})`,
);
const SEND_WORDS =
  'envía|envíe|envíen|enviar|envia|envie|manda|mande|mandar|sube|subir|reenvía|reenviar|envoie|envoyez|envoyer|transmets|transmettez|transfère|téléverse|sende|senden|schick|schicke|schicken|übermittle|übermitteln|leite|lade|invia|inviare|stuur|verstuur|отправь|отправьте|отправляй|отправить|передай|перешли|загрузи|wyślij';
const SEND_EAST = '发送|發送|上传|上傳|转发|轉發|提交|送信|送って|転送|アップロード|보내|전송';
const SEND = pattern(word(SEND_WORDS), `(?:${fold(SEND_EAST)})`);
const SEND_STEMS = folded(`${SEND_WORDS}|${SEND_EAST}`);

/** Text in another language that sends private data to an address. */
export function sendsInOtherLanguages(context: TextContext): TextHit[] {
  const { text } = context.plain;
  if (context.role === 'name' || !has(text, SEND_STEMS)) return [];
  for (const address of addresses(text).slice(0, 100)) {
    const verb = nearby(text, address, SEND, 160, 0, isNegated);
    if (!verb) continue;
    const { text: sentence } = sentenceAround(text, address);
    if (signals(sentence, PRIVATE).length > 0)
      return [hit(context, 'has data sent to an address that the text names', address, verb)];
  }
  return [];
}

const ORDERS_WORDS =
  'instruc|instruç|instruction|anweisung|istruzion|instructie|инструкц|указани|правил|regeln|reglas|regras|regole|regels|règles|consignes|指令|指示|说明|規則|规则|提示|命令|지시|명령|polecen';
const ORDER_STEMS = folded(ORDERS_WORDS);
const OVERRIDES = pattern(
  `${begin('ignor|olvid|descart|esqueç|desconsider|oubli|vergiss|missacht|dimentic|negeer|игнорир|забудь|проигнорир|zignoruj')}${part(30)}(?:${fold(ORDERS_WORDS)})\\p{L}{0,8}${part(16)}(?:${fold('anterior|previ|précéd|antéri|preced|vorig|eerder|поперед|poprzedni|sistema|système')})`,
  `${begin('ignor|vergiss|missacht|negeer|игнорир|забудь|проигнорир|zignoruj')}${part(24)}(?:${fold('vorherig|bisherig|früher|obig|предыдущ|прежн|прошл|poprzedni|eerdere|vorige')})\\p{L}{0,6}${part(16)}(?:${fold(ORDERS_WORDS)})`,
  `(?:${fold('忽略|无视|無視|忘记|忘記|不理会')})${part(10)}(?:${fold('之前|以前|先前|以上|前面|上述|所有|系统')})${part(12)}(?:${fold('指令|指示|规则|規則|提示|命令|说明')})`,
  `(?:${fold('以前の|これまでの|前の|上記の|すべての')})${part(8)}(?:${fold('指示|命令|ルール|プロンプト')})${part(6)}(?:${fold('無視|忘れ')})`,
  `(?:${fold('이전')})${part(8)}(?:${fold('지시|명령|규칙')})${part(8)}(?:${fold('무시|잊')})`,
);

/** Text in another language that sets instructions aside. */
export function overridesInOtherLanguages(context: TextContext): TextHit[] {
  const { text } = context.plain;
  if (context.role === 'name' || !has(text, ORDER_STEMS)) return [];
  const found = signals(text, OVERRIDES).find((one) => !isTurned(text, one) && !isNegated(text, one));
  return found ? [hit(context, 'tells the model to set its instructions aside', found)] : [];
}
