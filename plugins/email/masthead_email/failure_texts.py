"""Texts of mail systems by the class of failure that they describe.

The patterns match text in lower case, without addresses and links, with single blanks. They hold
for the whole reply or the paragraph of a report that names the cause.
"""

from __future__ import annotations

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


_WHO = (
    r"(?:user(?:name| ?id)?|recipients?|mail ?box|mail ?drop|account|address(?:ee)?|person"
    r"|e-?mail(?: address| account)?|customer|alias|local[- ]?part|rcpt)"
)
_KIND = (
    r"(?:(?:or|virtual|e-?mail|mail|destination|local|recipient|mailbox|user|unknown|illegal) )*"
)
_GONE = (
    r"(?:unknown|not (?:be )?found|no(?:t|n)?[- ]?exist\w*|do(?:es)? ?n[o']t exist|invalid"
    r"|not (?:be )?(?:known|valid|recogni[sz]ed|listed|present|active|available)|disabled"
    r"|deactivated|discontinued|inactive|unavailable|suspended|closed|expired|deleted|frozen"
    r"|no longer (?:valid|exists?|active|available|accepts? mail|on server|in use)"
    r"|cannot be verified|terminated)"
)

SENDER_NAMES = re.compile(
    r"spamhaus|spamcop|ipcheck\.|iprep|barracudacentral|sorbs\.net|uceprotect|abuseat\.org"
    r"|senderscore|senderbase"
    r"|talosintelligence|dnsbl|dnswl|invaluement|mailspike|abusix|cloudmark\.com/.*csi|postmaster"
    r"\.aol\.com|postmaster\.yahooinc|\(S31[45]\d\)|\bTSS?0\d\b|\bTS0\d\b|\[CS01\]|\bOU-00\d"
    r"|\bSC-00\d|\bDY-00\d|\bAS\(4[89]\d\d\)|tosa@|openspf\.(?:org|net)|spf\.pobox\.com",
    re.IGNORECASE,
)
"""Names of blocklists, and marks by which large systems blame the sender; for the raw text."""

RESTRICTED = _any(
    r"resolver\.rst\.",
    r"only accept(?:s|ing) (?:messages|mail|e-?mails?) from",
    r"recipient (?:has )?(?:preferences|blocked)|blocked by the recipient|user reject",
    r"not (?:on|in) (?:the|its|their) (?:allowed|safe) ?-?senders",
)
"""The recipient accepts mail of some senders only."""

RECEIVING = _any(
    r"receiving mail (?:too quickly|at a rate)|recipient has exceeded (?:their|its) limit",
)
"""The recipient gets too many messages at the moment."""

SENDER = _any(
    # The address or the domain of the sender.
    r"sender (?:e-?mail )?(?:address|domain|ip address|verif\w+|id|host|server|name)?"
    r"[^.;]{0,40}(?:reject|refus|denied|invalid|unknown|not (?:exist|valid|found|allow|accept|veri)"
    r"|does ?n[o']t|fail|block|unverif|unroutable|undeliverable|has no)",
    r"(?:invalid|bad|unroutable|unknown|unresolvable|forged|illegal|blocked|spoofed) "
    r"(?:envelope )?sender",
    r"(?:reject|refus|den|block)\w* (?:the |your |this )?(?:envelope )?sender|sender-5\.1\.",
    r"sender (?:was|is|has been)? ?(?:rejected|denied|blocked|refused|spammer)|like sender",
    r"domain of (?:the )?sender|sender'?s? domain|sender callout|callout verification|sender verif",
    r"envelope sender|in reply to mail from|mail from command|badmailfrom|bogus mail from",
    r"from (?:address|domain|header)[^.;]{0,40}(?:reject|invalid|not allowed|denied|refus"
    r"|mismatch)",
    r"emetteur (?:invalide|inconnu|refuse)|expéditeur (?:invalide|inconnu|refusé|rejeté)",
    r"absender\w*[^.]{0,40}(?:abgelehnt|ungültig|gesperrt|unbekannt|verweigert|nicht)",
    r"remitente[^.]{0,40}(?:rechazad|inválid|no permitid)|mittente[^.]{0,40}(?:rifiut|non valid)",
    r"remetente[^.]{0,40}(?:rejeitad|inválid)|отправител\w+[^.]{0,40}(?:отклон|заблокир|не )",
    r"发件人|发信|寄件",
    # Blocklists and reputation.
    r"\brbls?\b|\bdnsrbl|black ?-?list|block ?-?list|blocklisted|deny ?-?list|reputation",
    r"\b(?:is|are|was|were|been|currently|host|address|\]) (?:currently )?listed (?:in|at|by|on"
    r"|as)",
    r"open proxy|from your ip|(?:\d+\.){3}\d+\]?[^.;]{0,20}\b(?:block|reject|banned|refus|listed)",
    r"\bip (?:address )?\[?[\d.:a-f]*\]? ?(?:is |was |has been )?(?:blocked|banned|reject|refus"
    r"|listed"
    r"|not allowed|den)",
    r"(?:banned|blocked|bad|suspicious|dynamic|residential|sending)(?: sending)? ips?\b",
    r"your (?:ip|mail ?server|server|host|network|domain|isp|organi[sz]ation|e-?mail (?:service"
    r"|provider)"
    r"|provider|system|message has been refused|access to this mail system)\b[^.;]{0,80}(?:block"
    r"|reject"
    r"|den|ban|list|not (?:allow|accept|permit)|refus|unauthori|complain|abus|suspicio|spam)",
    r"(?:messages?|mail|e-?mails?|connections?|access) from (?:your |the |this |that |ip |\[?\d)"
    r"[^;]{0,100}(?:block|reject|den|defer|not (?:allow|accept|permit|sent)|refus|suspend|wer)",
    r"user complaints|complaint (?:rate|level)|spam ?-?trap|known spam source|spam source|spammer",
    r"client host|client ip|connecting ip|sending (?:ip|host|server|mta)|mail server (?:ip|\[)",
    r"not currently accepting mail from your|not accepting mail from (?:your|this)|\btosa\b",
    # Authentication of the domain.
    r"\bspf\b|\bdkim\b|\bdmarc\b|sender policy framework|sender[- ]?id\b|domain-?keys",
    r"unauthenticated (?:e-?mail|mail|message|sender)|(?:does ?n[o']t|fail\w*) (?:pass |to pass )?"
    r"authentication|authentication (?:checks?|fail|required|information|level)|must authenticate",
    r"smtp auth|requires? authentication|not authenticated|login (?:required|first)",
    r"not (?:allowed|authori[sz]ed|permitted) to (?:send|relay|use)|owned by user|not verified",
    # The name of the server.
    r"reverse (?:dns|lookup|hostname)|\brdns\b|\bptr\b|cannot (?:find|resolve) your"
    r"|\b[eh][he]lo\b|dynamic (?:ip|pool)|generic (?:rdns|hostname)|name lookup failed",
    # Relaying.
    r"relay(?:ing)? (?:access |is |was )?(?:denied|prohibited|not (?:permitted|allowed))|unable to"
    r" relay|do(?:es)? not relay|open relay|no relaying|rcpthosts|relay not|relaying$",
    r"account (?:is )?(?:not allowed|blocked) (?:to|from) send",
)
"""The server refuses the sender."""

LIMITS = _any(
    r"(?:sending|sender'?s?|daily|hourly|outgoing|outbound|user sending)[^.;]{0,30}"
    r"(?:quota|limit)|rate[- ]?limit|too many (?:messages|mails|e-?mails|connections|recipients"
    r"|invalid|unknown|errors|sessions|concurrent|hops? per)|throttl|per (?:hour|day|minute)\b",
    r"(?:messages?|recipients?|connections?)[^.;]{0,30}(?:rate|frequency)|frequency limited",
    r"limit[^.;]{0,30}(?:sender|sending|messages|recipients)|mail flood|bulk (?:mail )?(?:limit"
    r"|rate)",
)
"""The sender has exceeded a limit."""

FULL = _any(
    r"over ?-?(?:the )?(?:disk |its |allowed |mail |mailbox )*quota|quota ?(?:is |was |has been "
    r"|usage )*"
    r"(?:exceed|full|reached|violat)|(?:disk|disc|mail|storage|mailbox|user|recipient'?s?) quota",
    r"(?:mail ?box|inbox|in-box|mail ?folder|maildir|mail ?drop|folder|account|postbox)"
    r"[^.;]{0,30}\bfull\b|\bfull mail ?box|storage (?:is )?full|recipient storage",
    r"(?:exceed|over|reached|beyond)\w*[^.;]{0,40}(?:mail ?box|storage|disk|space|maximum allowed"
    r" storage|allocation|receiving limits|local limit)",
    r"(?:mail ?box|storage|disk|account)[^.;]{0,40}(?:exceed|overflow|size limit|limit exceed|"
    r"used up)",
    r"(?:insufficient|not enough|does ?n[o']t have enough|no|out of|lack of)"
    r" (?:free |remaining |system |mailbox )*(?:disk|storage|space|mailbox space)|space has been"
    r" used",
    r"too many messages (?:on|in) the (?:server|mail)|too much mail data|has too many messages",
    r"postfach[^.]{0,40}(?:voll|überfüllt|überschritten)|speicherplatz|mailbox ist voll|zuviele"
    r" mails",
    r"bo[iî]te[^.]{0,40}(?:pleine|saturée)|quota dépassé|buz[oó]n[^.]{0,30}llen"
    r"|casilla[^.]{0,30}llena"
    r"|cuota|caixa[^.]{0,30}cheia|cota excedida|casell?a[^.]{0,30}piena|skrzynk[^.]{0,30}(?:pełn"
    r"|pe.n)",
    r"postvak[^.]{0,20}vol|переполнен|квот|邮箱(?:已满|空间)|信箱(?:已滿|空間)|容量|メールボックスが",
)
"""The mailbox is full."""

GONE = _any(
    # English, as almost all systems write.
    rf"(?:unknown|invalid|no such|nonexist\w+|non-?exist\w*|unrecogni[sz]ed|inactive|disabled"
    rf"|deactivated|illegal|obsolete|no) {_KIND}{_WHO}\b(?! (?:sender|is accepted))(?<!no address)",
    rf"\b(?:bad|wrong) {_KIND}(?:recipient|address|mail ?box|user)",
    rf"\b{_WHO}\b\W*(?:\([^)]*\) ?)?(?:\w+ ){{0,2}}?(?:is |was |are |has been |could )?(?:an? "
    rf"|currently |now |permanently"
    rf" |been |administratively )?{_GONE}",
    r"(?:not|no longer) (?:be )?(?:a |an |our )?(?:known|valid|active|local|registered|existing) "
    rf"{_KIND}{_WHO}",
    rf"(?:not|no longer) (?:a|an|our|any) {_KIND}(?:user|recipient|mail ?box|account|address"
    rf"|customer|employee)",
    rf"(?:don'?t|doesn'?t|do not|does not|did not|no) have (?:an?|any|such) (?:\w+\W)*?{_WHO}",
    r"doesn'?t have an? \S+ account|not have an? \S+ account|'s e-?mail name is not found",
    r"no (?:one|body) (?:with|by|at|of) th\w+ (?:name|e-?mail|address)|no mail ?box (?:here"
    r"|found|by)",
    r"there is no (?:one|such)|not (?:listed|found) in (?:the |public |domino )?(?:\w+ )?(?:name"
    r" |address )?"
    r"(?:directory|book|domino|ldap)|in name directory|unable to find (?:alias|user|recipient)",
    r"(?:user|recipient|account|address)[^.;:]{0,60}(?:do(?:es)? ?n[o']t exist|not exist|was not"
    r" found"
    r"|could ?n[o']t be found|not found|is unknown|is disabled|not our customer)",
    r"address(?:es)? (?:were|was) (?:unknown|not found)|can'?t accept user|mailbox not present",
    r"usernotfound|userunknown|recipnotfound|recipientnotfound|resolver\.adr\.|unknown-?user",
    r"user missing home|missing home directory|no valid recipients|validrcptto|badrcptto"
    r"|badrecipientto",
    r"recipient address rejected: (?:access denied|unknown|invalid|undeliverable|user|verified)",
    r"recipient addresses? rejected ?: access denied|mailbox unavai?lable|unable to validate"
    r" recipient",
    r"mailbox (?:is )?(?:unavailable|not available|inactive|currently suspended)|mailbox"
    r" for[^.]{0,20}not",
    r"reached is (?:disabled|inactive)|account (?:that you tried to reach )?(?:is|has been)"
    r" (?:disabled|inactive)",
    r"has moved|user (?:has )?left|no longer (?:an employee|works|employed|with)|ceased|owner"
    r" has changed",
    r"due to (?:extended )?inactivity|delivery to this address is disabled|recipient suspend",
    # The domain.
    r"unrouteable|unroutable|host (?:or domain name )?not found|(?:unknown|no such|bad) (?:host"
    r"|domain)"
    r"|(?:domain|host) (?:name )?(?:is )?(?:unknown|not found|does ?n[o']t exist|not exist)"
    r"|couldn'?t find any host|null ?mx|non-existent hosts|does ?n[o']t accept mail \(nullmx\)"
    r"|illegal host|domain[^.;]{0,40}does ?n[o']t (?:exist|accept|receive)|dnshostnotfound"
    r"|no mx (?:record|found)|dns domain[^.;]{0,60}not exist|dns error: [^.]{0,60}nxdomain"
    r"|nxdomain",
    # Other languages.
    r"(?:adressat|empfänger|benutzer|nutzer|postfach|konto|e-?mail-?adresse|adresse)\w*[^.]{0,60}"
    r"(?:unbekannt|existiert nicht|nicht gefunden|deaktiviert|nicht vorhanden|gelöscht|ungültig"
    r"|gibt es nicht|nicht bekannt|nicht (?:mehr )?erreichbar|gesperrt|nicht existent)",
    r"(?:unbekannte[rn]?|ungültige[rn]?|kein) (?:empfänger|benutzer|adresse|postfach|nutzer)",
    r"(?:utilisateur|destinataire|adresse|bo[iî]te|compte)[^.]{0,60}(?:inconnu|invalide|inexistant"
    r"|n'existe pas|desactiv|désactiv|archiv|introuvable|supprim|inactif|inactive)",
    r"(?:usuario|destinatario|buz[oó]n|cuenta|direcci[oó]n|casilla)[^.]{0,50}(?:no existe"
    r"|desconocid"
    r"|inexistente|inv[aá]lid|inactiv|no encontrad|expirad)|no existe (?:ese|dicha|el|la)",
    r"(?:utente|destinatario|indirizzo|destin\.|casella)[^.]{0,50}(?:sconosciut|inesistente|errato"
    r"|non esist|non valid|disattivat|bloccat|disabilitat)|nessun utente",
    r"(?:usu[aá]rio|destinat[aá]rio|endere[cç]o|caixa postal|conta)[^.]{0,50}(?:n[aã]o exist"
    r"|desconhecid|inexistente|inv[aá]lid|inativ|n[aã]o encontrad)",
    r"nie istnieje|nie ma takie|konto[^.]{0,50}(?:zablokowane|nieaktywne)|nieznany (?:adresat"
    r"|odbiorca)",
    r"(?:gebruiker|ontvanger|adres|postvak)[^.]{0,40}(?:onbekend|bestaat niet|ongeldig)"
    r"|onbekende gebruiker",
    r"(?:пользовател|адресат|получател|почтов\w+ ящик|ящик|аккаунт|адрес)\w*[^.]{0,50}(?:не найден"
    r"|не существует|неизвест|заблокирован|удал[её]н|отключ[её]н|недоступ|нет)|нет такого",
    r"(?:用户|收件人|邮箱|帐号|账号|地址|用戶|信箱)[^。]{0,20}(?:不存在|不正确|无效|被禁用|停用|冻结|未找到|暫停)",
    r"(?:宛先|受信者|アドレス|ユーザ)[^。]{0,20}(?:不明|見つかりません|存在しません|存在しない|ありません)",
    r"(?:användare|mottagare|bruker|mottaker|modtager|bruger)\w*[^.]{0,40}(?:okänd|ukjent|ukendt"
    r"|finns inte"
    r"|finnes ikke|findes ikke)|(?:okänd|ukjent|ukendt) (?:användare|bruker|bruger|mottagare"
    r"|mottaker)",
    r"(?:uživatel|příjemce|schránka|felhasználó|címzett|kullanıcı|alıcı)\w*[^.]{0,40}(?:neexistuje"
    r"|nezn[aá]m|nem létezik|ismeretlen|bulunamadı|mevcut değil|bilinmiyor)",
)
"""The address or its domain doesn't exist, or the mailbox is disabled."""

CONTENT = _any(
    r"\bspam|virus|malware|phish|\bjunk\b|unsolicited|bulk mail|trojan|infected",
    r"message (?:size|is too|too|was too)|too (?:large|big|long)|size (?:limit|exceeds)|maximum"
    r" (?:message |allowed )?size|larger than|message exceeds|exceeds?[^.;]{0,30}size",
    r"attachment|content (?:was |is |has been )?(?:reject|filter|restrict|refus|den|analysis"
    r"|block|scan)"
    r"|due to content|suspicious (?:content|url|link)|message content|banned content|\burl\b"
    r"|uribl|surbl",
    r"malformed|invalid (?:header|message|content|mime)|missing header|bare lf|rfc ?(?:28|53)22"
    r"|mime"
    r"|conversion|8-?bit|high probability of spam|look(?:s)? like|contains (?:a |an"
    r" )?(?:forbidden|illegal)",
    r"spamverdacht|als spam|unerwünschte|pourriel|indésirable|no deseado|indesiderat|спам|垃圾",
)
"""The content is refused."""

TRANSIENT = _any(
    r"gr[ae]y-?list|try again|try later|temporar|retry|retried|deferr|timed? ?-?out|timeout"
    r"|connection (?:was )?(?:refused|reset|lost|closed|dropped|failed|failure)|queue\.expired",
    r"(?:could not|can't|cannot|unable to|couldn't|wasn't able to) (?:establish |make )?(?:an? )?"
    r"(?:smtp )?connect|no answer|expired|undelivered after|too (?:busy|long in)|unreachable|no"
    r" route",
    r"too old|delivery time|service (?:not |un)available|system resources|out of (?:memory"
    r"|resources)",
    r"vorübergehend|später (?:noch|erneut)|zeitüberschreitung|temporaire|plus tard|temporal|más"
    r" tarde"
    r"|temporane|повторит|временно|稍后|暂时",
)
"""A later attempt may succeed."""

POLICY = _any(
    r"polic(?:y|ies)|administrative prohibition|access denied|not authori[sz]ed|prohibit|security"
    r"|restrict|(?:message|mail|e-?mail|delivery|envelope|transaction) (?:was |has been |is"
    r" )?(?:blocked"
    r"|refused|rejected|not accepted|denied)|\bblocked\b|permission denied|go away|not welcome",
    r"richtlinie|politique|política|politica|политик",
)
"""The server names a policy, or none of the causes above."""
