/** Music, film, media, sports, games and events: one concept a line, with its words in English, German, Spanish, French and Chinese. */
export const culture = `
  sound noise | geräusch klang lärm | sonido ruido | son bruit | 声响 噪音
  loud noisy | laut lärmend | ruidoso | bruyant fort | 吵闹 大声
  quiet silent silence | leise ruhig stille | silencio silencioso callado | silencieux silence calme | 安静
  volume | lautstärke | volumen | volume | 音量
  melody tune | melodie | melodía | mélodie air | 旋律 曲调
  rhythm beat | rhythmus takt | ritmo compás | rythme | 节奏 节拍
  chord harmony | akkord harmonie | acorde armonía | accord harmonie | 和弦 和声
  tonality | tonleiter tonart | tonalidad | gamme tonalité | 音阶 音调
  tune tuner | stimmen stimmgerät gestimmt | afinar afinación afinador | accorder accordeur | 调音
  string | saite saiten | cuerda | corde | 琴弦
  bow | geigenbogen bogen | arco | archet | 琴弓
  cello | cello | violonchelo chelo | violoncelle | 大提琴
  bass | bass kontrabass | contrabajo bajo | basse contrebasse | 低音
  flute recorder | flöte querflöte blockflöte | flauta | flûte | 长笛 笛子
  clarinet oboe | klarinette oboe | clarinete oboe | clarinette hautbois | 单簧管
  saxophone | saxophon saxofon | saxofón | saxophone | 萨克斯
  trumpet | trompete | trompeta | trompette | 小号
  trombone tuba | posaune tuba | trombón tuba | trombone tuba | 长号
  horn | waldhorn | trompa | cor | 圆号
  harp | harfe | arpa | harpe | 竖琴
  organ | orgel | órgano | orgue | 管风琴
  accordion | akkordeon ziehharmonika | acordeón | accordéon | 手风琴
  soprano alto tenor | sopran tenor bariton | soprano tenor | soprano ténor | 女高音 男高音
  composer compose composition | komponist komponistin komponieren komposition | compositor componer composición | compositeur composer composition | 作曲 作曲家
  symphony | sinfonie symphonie | sinfonía | symphonie | 交响乐
  opera | oper opern | ópera | opéra | 歌剧
  musical | musical | musical | | 音乐剧
  jazz | jazz | jazz | jazz | 爵士
  classical classic | klassisch klassik | clásico | classique | 古典 经典
  folk | volkslied volksmusik | folclore | folklore | 民歌 民谣
  hymn anthem | hymne nationalhymne | himno | hymne | 国歌
  album | album | álbum | album | 专辑 相册
  recording | aufnahme aufnehmen aufgenommen | grabación grabar grabado | enregistrement enregistrer | 录音 录制
  vinyl | schallplatte | vinilo | vinyle | 唱片
  playlist | wiedergabeliste playlist | | | 播放列表
  podcast | podcast | podcast | podcast | 播客
  broadcast transmission | sendung übertragung ausstrahlen | emisión retransmisión emitir | émission diffusion diffuser | 播出 直播
  channel | kanal sender | canal | chaîne | 频道
  news | nachrichten neuigkeit | noticia | nouvelles actualités | 新闻
  press | presse | prensa | presse | 媒体 报社
  article | artikel | artículo | article | 文章
  headline | schlagzeile | titular | | 头条
  editor editorial | redakteur redakteurin redaktion lektor | editor redactor redacción | rédacteur rédaction éditeur | 编辑
  publisher publish publication | verlag verleger veröffentlichen veröffentlicht | editorial publicar publicación | éditeur publier publication | 出版 出版社 发表
  edition | auflage ausgabe | edición | édition | 版次
  novel | roman | novela | roman | 小说
  story tale | erzählung geschichte märchen | cuento relato historia | conte histoire récit | 故事
  poem poetry poet | gedicht lyrik dichter | poema poesía poeta | poème poésie poète | 诗歌 诗人
  comic cartoon | comic zeichentrick | cómic historieta | bande dessin | 漫画 动画
  biography memoir | biografie lebensgeschichte | biografía | biographie | 传记
  diary journal | tagebuch | diario | | 日记
  reader | leser leserin | lector lectora | lecteur lectrice | 读者
  bookshop bookstore | buchhandlung buchladen | librería | librairie | 书店
  screenplay script | drehbuch | guion | scénario | 剧本
  director filmmaker | regisseur regisseurin regie | director cineasta | réalisateur réalisatrice | 导演
  scene | szene | escena | scène | 场景
  documentary | dokumentarfilm doku | documental | documentaire | 纪录片
  series episode | serie folge episode | serie episodio | série épisode | 剧集 电视剧
  subtitle | untertitel | subtítulo | | 字幕
  audience spectator viewer | publikum zuschauer | público espectador audiencia | public spectateur | 观众
  applause applaud | applaus beifall klatschen | aplauso aplaudir | applaudir applaudissement | 掌声 鼓掌
  performance show | aufführung auftritt vorstellung | actuación función espectáculo | représentation spectacle | 演出 表演
  premiere | premiere uraufführung | estreno | première | 首映 首演
  play drama | theaterstück schauspiel | drama | pièce drame | 话剧 戏剧
  comedy | komödie | comedia | comédie | 喜剧
  circus clown | zirkus clown | circo payaso | cirque clown | 马戏 小丑
  puppet doll | puppe marionette | marioneta muñeca títere | marionnette poupée | 木偶 娃娃
  magic magician | zauberei zauberer zaubern | magia mago | magie magicien | 魔术 魔法
  dance dancer | tanz tanzen tänzer getanzt | baile bailar danza bailarín | danse danser danseur | 跳舞 舞蹈
  ballet | ballett | ballet | ballet | 芭蕾
  art artist | kunst künstler künstlerin | arte artista | art artiste | 艺术 艺术家
  artwork | kunstwerk | | œuvre | 艺术品 作品
  painting | gemälde malen gemalt | pintar cuadro | tableau peindre peint | 绘画 油画
  sculpture statue sculptor | skulptur statue bildhauer | escultura estatua escultor | sculpture statue sculpteur | 雕塑 雕像
  gallery | galerie | galería | galerie | 画廊
  exhibition exhibit | ausstellung ausstellen | exposición exponer | exposition exposer | 展览
  photography photographer photograph | fotografie fotograf fotografieren | fotografía fotógrafo fotografiar | photographie photographe photographier | 摄影
  lens | objektiv | objetivo | objectif | 镜头
  tripod | stativ | trípode | trépied | 三脚架
  culture cultural | kultur kulturell | cultura cultural | culture culturel | 文化
  tradition traditional custom | tradition traditionell brauch | tradición tradicional costumbre | tradition traditionnel coutume | 传统 习俗
  festival carnival | festival karneval fasching | festival carnaval | festival carnaval | 节日 狂欢节
  fair | messe jahrmarkt | feria | foire | 展会 集市
  fireworks | feuerwerk | pirotecnia | artifice | 烟花
  parade procession | umzug parade prozession | desfile procesión | défilé procession cortège | 游行
  ceremony | zeremonie feierstunde | ceremonia | cérémonie | 仪式 典礼
  event | veranstaltung ereignis | evento acontecimiento | événement | 活动 事件
  conference congress convention | konferenz kongress tagung | conferencia congreso | conférence congrès colloque | 会议 大会
  organizer host organise organize | veranstalter organisator organisieren organisiert | organizador organizar anfitrión | organisateur organiser organisé | 组织者 组织
  participant attendee | teilnehmer teilnehmerin | participante asistente | participant | 参与者 参加者
  participate participation | teilnehmen teilnahme mitmachen | participar participación | participer participation | 参与
  speech talk | rede ansprache | discurso charla | discours | 演讲 讲话
  anniversary jubilee | jubiläum jahrestag | aniversario | anniversaire | 周年 纪念日
  champion winner win won | sieger gewinner gewinnen gewonnen meister | campeón ganador ganar | champion gagnant gagner vainqueur | 冠军 获胜
  lose lost defeat | verlieren verloren niederlage | perder derrota | perdre défaite | 失利
  victory | sieg | victoria | victoire | 胜利
  prize award | preis auszeichnung | premio galardón | récompense | 奖品 奖项
  medal trophy cup | medaille pokal | medalla trofeo copa | médaille trophée coupe | 奖牌 奖杯
  tournament championship league | turnier meisterschaft liga | torneo campeonato liga | tournoi championnat ligue | 锦标赛 联赛
  final semifinal | finale endspiel halbfinale | final semifinal | finale | 决赛
  olympic | olympia olympisch | olímpico olimpiada | olympique | 奥运
  referee umpire | schiedsrichter | árbitro | arbitre | 裁判
  opponent | gegner gegnerin | adversario rival | adversaire | 对手
  goalkeeper goalie | torwart | portero | gardien | 守门员
  goal | tor | gol | | 进球
  ball | ball | pelota balón | balle ballon | 皮球
  stadium arena | stadion arena | estadio | stade | 体育场
  pitch | spielfeld sportplatz | cancha | terrain | 球场
  racket racquet | schläger tennisschläger | raqueta | raquette | 球拍
  basketball | basketball | baloncesto básquetbol | | 篮球
  volleyball | volleyball | voleibol | | 排球
  handball | handball | balonmano | handball | 手球
  badminton | federball badminton | bádminton | badminton | 羽毛球
  golf | golf | golf | golf | 高尔夫
  hockey | hockey eishockey | hockey | hockey | 冰球
  rugby | rugby | rugby | rugby | 橄榄球
  boxing boxer | boxen boxer | boxeo boxeador | boxe boxeur | 拳击
  wrestling judo karate | ringen judo karate | lucha judo karate | lutte judo karaté | 摔跤 柔道
  gymnastics gymnast | turnen gymnastik | gimnasia gimnasta | gymnastique | 体操
  yoga | yoga | yoga | yoga | 瑜伽
  athletics athlete | leichtathletik athlet sportler | atletismo atleta | athlétisme athlète | 田径 运动员
  marathon | marathon | maratón | marathon | 马拉松
  jump | springen sprung gesprungen | saltar salto | sauter saut | 跳跃
  throw thrown threw | werfen geworfen wurf | lanzar tirar arrojar | lancer jeter | 投掷
  catch caught | fangen gefangen | atrapar coger | attraper | 抓住 接住
  climb climber | klettern klettert bergsteigen | escalar escalada trepar | escalade escalader grimper | 攀岩 爬山 攀登
  ski | ski skifahren | esquí esquiar | ski skier | 滑雪
  snowboard sled sledge toboggan | schlitten rodeln snowboard | trineo | luge traîneau | 雪橇
  skate | schlittschuh eislaufen | patinar patín patinaje | patin patiner patinage | 溜冰 滑冰
  surf surfboard | surfen surfbrett | surf surfear | surf | 冲浪
  dive diver | tauchen taucher getaucht | bucear buceo buceador | plonger plongée plongeur | 潜水
  pool | schwimmbad schwimmbecken freibad | piscina alberca | piscine | 游泳池 泳池
  sauna | sauna | sauna | sauna | 桑拿
  riding rider | reiten reiter reiterin | equitación montar jinete | équitation cavalier | 骑马
  archery | bogenschießen | tiro | tir | 射箭
  fencing | fechten | esgrima | escrime | 击剑
  chess | schach | ajedrez | échecs | 国际象棋 象棋
  cards | kartenspiel spielkarten | naipes cartas | cartes | 扑克 纸牌
  dice | würfel würfeln | dado | dés | 骰子
  puzzle jigsaw | puzzle rätsel | rompecabezas puzle | | 拼图
  riddle crossword | kreuzworträtsel | crucigrama acertijo | devinette | 谜语
  boardgame | brettspiel gesellschaftsspiel | | | 桌游
  lottery | lotterie lotto | lotería | loterie loto | 彩票
  bet wager | wette wetten | apuesta apostar | pari parier | 打赌 赌注
  playground | spielplatz | | | 操场 游乐场
  swing | schaukel rutsche | columpio tobogán | balançoire toboggan | 秋千 滑梯
  teddy | teddybär kuscheltier | peluche | peluche | 玩偶
  collection collect collector | sammlung sammeln sammler gesammelt | colección coleccionar | collection collectionner | 收藏 收集
  leisure | freizeit | ocio | loisirs | 休闲 业余
  entertainment | unterhaltung | entretenimiento diversión | divertissement | 娱乐
  joke humour humor | witz scherz humor | chiste broma humor | blague plaisanterie humour | 笑话 幽默
  laugh laughter | lachen gelacht gelächter | reír risa | rire | 大笑
  smile | lächeln | sonrisa sonreír | sourire | 微笑
  nickname | spitzname | apodo mote | surnom | 绰号 外号
  race | rennen wettrennen | carrera | course | 赛跑 赛车
  supporter | anhänger | aficionado hincha | supporter | 球迷 粉丝`
