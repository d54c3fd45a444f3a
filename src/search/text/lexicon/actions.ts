/** Common verbs with their nouns: one concept a line, with its words in English, German, Spanish, French and Chinese. */
export const actions = `
  accept acceptance | annehmen akzeptieren angenommen | aceptar aceptado | accepter accepté | 接受
  refuse reject refusal rejection decline | ablehnen ablehnung abgelehnt verweigern | rechazar rechazo negarse | refuser refus rejeter | 拒绝
  allow permit | erlauben zulassen gestatten | permitir | permettre autoriser | 允许 准许
  forbid prohibit ban | verbieten verbot untersagen untersagt | prohibir prohibición | interdire interdiction | 禁止 禁令
  avoid prevent prevention | vermeiden verhindern vorbeugen | evitar prevenir prevención | éviter empêcher prévention | 避免 预防 防止
  protect protection | schützen schutz geschützt | proteger protección | protéger protection | 保护 防护
  defend defence defense | verteidigen verteidigung | defender defensa | défendre défense | 防御 辩护
  rescue | retten rettung gerettet | rescatar rescate salvar | sauver sauvetage secourir | 救援 抢救
  adjust adjustment adapt | anpassen anpassung verstellen justieren | ajustar adaptar adaptación | ajuster adapter adaptation régler | 调整 适应
  arrange arrangement | vereinbaren anordnen | arreglo acordar | arranger arrangement | 安排
  prepare preparation | vorbereiten vorbereitung vorbereitet zubereiten | preparar preparación preparado | préparer préparation | 准备
  continue resume | fortsetzen weitermachen fortgesetzt | continuar seguir reanudar | continuer poursuivre reprendre | 继续
  postpone reschedule defer | verschieben verschoben vertagen aufschieben | aplazar posponer aplazado | reporter repousser reporté | 推迟 改期 延期
  interrupt interruption | unterbrechen unterbrechung unterbrochen | interrumpir interrupción | interrompre interruption | 中断 打断
  disturb disturbance bother | stören störung gestört | molestar molestia | déranger dérangement gêner | 打扰 干扰
  hurry rush | eilen beeilen eile | prisa apurarse | dépêcher hâte | 赶快 匆忙
  stay remain | bleiben geblieben übernachten | quedarse permanecer | rester séjourner séjour | 停留 留下
  leave | verlassen weggehen | marcharse irse abandonar | partir quitter | 离开
  enter entry entrance | eingang eintreten eintritt betreten | entrar entrada | entrer entrée | 进入 入口
  exit | ausgang ausfahrt | salida salir | sortie sortir | 出口
  bring brought | bringen gebracht mitbringen | traer llevar | apporter amener | 带来
  fetch | holen geholt | traer | | 取来
  carry | schleppen tragen | cargar | porter | 搬运
  pull drag | ziehen gezogen zerren | tirar arrastrar | tirer traîner | 拉动
  push | schieben drücken geschoben | empujar | pousser | 推动
  press squeeze | pressen drücken gedrückt | apretar presionar | presser appuyer serrer | 按压
  turn rotate rotation spin | drehen drehung gedreht | girar giro rotar | tourner rotation | 转动 旋转
  fold | falten gefaltet zusammenklappen | doblar plegar | plier pliage | 折叠
  bend | biegen gebogen | curvar | courber | 弯折
  stretch | dehnen strecken | estirar | étirer | 拉伸
  tear torn rip | reißen zerreißen gerissen | rasgar | déchirer | 撕裂
  break broke | zerbrechen brechen zerbrochen | romper quebrar | casser briser | 打破 折断
  cut | schneiden geschnitten schnitt | cortar corte | couper coupe | 切割
  hit | schlagen geschlagen schlag | golpear golpe pegar | frapper coup | 打击
  knock | klopfen geklopft | | | 敲门
  touch | berühren anfassen berührung | tocar | toucher | 触摸
  hold held grip | halten festhalten | sostener agarrar sujetar | tenir | 握住
  fell fallen drop | fallen gefallen sturz | caer caída | tomber chute | 掉落 摔倒
  lift | heben anheben gehoben | levantar alzar | lever soulever | 举起 抬起
  put lay | stellen legen gestellt gelegt | poner colocar puesto | mettre poser placer | 放置
  hang hung | hängen aufhängen gehängt | colgar colgado | accrocher suspendre pendre | 悬挂
  attach fasten mount | befestigen anbringen befestigt | fijar sujetar | fixer attacher | 固定 安装
  tie tied | binden gebunden zubinden | atar amarrar | attacher lier |
  hide hidden conceal | verstecken versteckt verbergen | esconder ocultar escondido | cacher caché dissimuler | 隐藏
  cover | bedecken abdecken zudecken | cubrir tapar | couvrir recouvrir | 覆盖
  fill refill | füllen auffüllen gefüllt nachfüllen | llenar rellenar | remplir | 填充 装满
  pour | gießen einschenken schütten | verter echar | verser | 倒水
  spill spilt | verschütten verschüttet | derramar | renverser | 洒出
  spray | sprühen spritzen | rociar pulverizar | pulvériser asperger | 喷洒
  soak | einweichen | remojar | tremper | 浸泡
  rinse | spülen ausspülen | enjuagar aclarar | rincer | 冲洗
  scrub rub scrape | schrubben reiben kratzen | fregar frotar raspar | frotter gratter | 擦洗
  wipe | abwischen wischen | | essuyer | 擦拭
  polish | polieren poliert | pulir | polir | 抛光
  dig dug | graben gegraben umgraben | cavar excavar | creuser | 挖掘
  bury | begraben vergraben | enterrar enterrado | enterrer enterré | 埋葬
  plant | pflanzen gepflanzt bepflanzen | plantar plantado | planter planté | 种植
  grow grew grown growth | wachsen wachstum gewachsen | crecer crecimiento cultivar | croître croissance pousser cultiver | 生长 成长 增长
  pick | pflücken gepflückt auflesen | arrancar recolectar | cueillir | 采摘
  stack pile heap | stapel stapeln haufen gestapelt | apilar pila montón | empiler tas | 堆放
  sort classify categorize | sortieren einordnen klassifizieren sortiert | clasificar clasificación | trier classer tri classement | 分类 排序
  separate separation split | trennen trennung getrennt teilen | separar separación dividir | séparer séparation diviser | 分开 分离
  combine join | verbinden kombinieren | unir combinar | joindre combiner réunir | 结合 合并
  divide distribute distribution | verteilen verteilung aufteilen verteilt | distribuir repartir distribución reparto | distribuer répartir distribution | 分配 分发
  share | teilen geteilt | compartir compartido | partager partagé | 分享 共享
  give gave given | schenken geschenkt geben | | donner | 赠送
  submit submission | einreichen abgeben eingereicht | presentar entregar | soumettre remettre | 提交 递交
  keep | aufbewahren behalten aufheben | guardar conservar | garder conserver | 保留 保存
  discard dispose disposal | wegwerfen entsorgen entsorgung weggeworfen | desechar tirar | jeter | 丢弃 扔掉
  waste | verschwenden verschwendung | desperdiciar desperdicio | gaspiller gaspillage | 浪费
  destroy destruction | zerstören zerstört zerstörung vernichten | destruir destrucción destruido | détruire détruit destruction | 破坏 销毁
  damage | schaden beschädigen | daño dañar | dommage dégât endommager | 损害 损伤
  improve optimize | optimieren optimierung | optimizar | optimiser | 优化 改良
  modify modification | abändern modifizieren | modificar modificación | modifier modification | 修改
  correct correction | korrigieren korrektur richtig berichtigen | corregir corrección correcto | corriger correction | 纠正 正确 更正
  wrong incorrect | falsch verkehrt | incorrecto equivocado | incorrect | 错误 不对
  develop development | entwickeln entwicklung entwickelt | desarrollar desarrollo | développer développement | 开发 发展
  design | entwerfen gestalten entworfen gestaltung | diseño diseñar | concevoir conception | 设计
  draw drew drawn | zeichnen gezeichnet | dibujar dibujo | dessiner dessin | 画画
  mark | markieren markierung markiert kennzeichnen | marcar | marquer | 标记
  show | zeigen gezeigt anzeigen | mostrar enseñar | montrer afficher | 展示 显示
  look | schauen ansehen gucken zuschauen | mirar | regarder | 观看
  see seen | sehen gesehen sieht | | voir | 看见
  hear listen | hören gehört zuhören | oír escuchar | entendre écouter | 听见 倾听
  notice | bemerken bemerkt auffallen | notar | remarquer apercevoir | 注意到 发觉
  recognize recognition identify identification | erkennen erkannt erkennung identifizieren | reconocer identificar | reconnaître identifier reconnaissance | 识别 认出
  confirm confirmation | bestätigen bestätigung bestätigt | confirmar confirmación confirmado | confirmer confirmation confirmé | 确认
  verify verification validate | überprüfen verifizieren überprüft | verificar comprobar validar | valider vérification | 验证 核实
  investigate investigation | ermitteln ermittlung untersuchen untersucht | investigar averiguar | enquête enquêter | 调查
  survey questionnaire poll | umfrage befragung fragebogen | encuesta cuestionario sondeo | sondage questionnaire | 问卷
  inform information info | informieren information informationen auskunft | informar información | informer information renseignement | 信息 告知
  mention | erwähnen erwähnt | mencionar mención | mentionner | 提到
  describe description | beschreiben beschreibung beschrieben | describir descripción | décrire description | 描述
  define definition | definieren definition festlegen | definir definición | définir définition | 定义
  suggest suggestion propose proposal | vorschlagen vorschlag vorgeschlagen | sugerir sugerencia propuesta proponer | suggérer suggestion proposition | 建议 提议
  recommend recommendation | empfehlen empfehlung empfohlen | recomendar recomendación | recommander recommandation | 推荐
  persuade convince | überzeugen überreden überzeugt | convencer persuadir | convaincre persuader | 说服
  promise | versprechen versprochen | promesa prometer | promesse promettre | 承诺 答应
  discuss discussion | diskutieren diskussion besprechen besprochen | debatir debate | discuter discussion débat | 讨论
  talk conversation chat speak spoke | gespräch reden sprechen unterhalten gesprochen | conversación hablar charla | conversation parler bavarder | 聊天 谈话 交谈
  communicate communication | kommunikation kommunizieren | comunicación comunicar | communiquer | 沟通 交流
  shout scream yell | schreien rufen geschrien | gritar grito | crier cri hurler | 喊叫 尖叫
  whisper | flüstern | susurrar | chuchoter murmurer | 耳语
  greet | grüßen begrüßung gruß grüße | saludar saludo | saluer salutation | 问候 打招呼
  introduce introduction | vorstellen einführung einführen vorgestellt eingeführt | introducir introducción | présenter introduire introduction | 介绍 引入
  meet met encounter | treffen getroffen begegnen begegnung | encontrarse encuentro | rencontrer rencontre | 遇见 见面
  accompany | begleiten begleitung | acompañar | accompagner | 陪伴 陪同
  follow | folgen befolgen gefolgt | | suivre suivi | 跟随
  lead led | führen geführt leiten | dirigir guiar | mener diriger guider | 带领 引导
  manage management | verwalten verwaltung management | gestionar gestión administrar | gérer gestion | 管理
  control | steuern steuerung kontrollieren | controlar | contrôler maîtriser | 控制
  coordinate coordination coordinator | koordinieren koordination koordinator | coordinar coordinación coordinador | coordonner coordination coordinateur | 协调
  cooperate cooperation collaborate collaboration | zusammenarbeit zusammenarbeiten kooperation | colaborar colaboración cooperación | collaborer collaboration coopération | 协作 合作
  assign assignment allocate | zuweisen zuteilen zugewiesen | asignar asignación | assigner attribuer affecter | 指派 分配
  delegate delegation | delegieren übertragen | delegar delegación | déléguer délégation | 委派
  appoint nominate | ernennen ernannt ernennung | nombrar nombramiento designar | nommer nomination désigner | 任命
  elect election vote | wahlen abstimmung abstimmen stimme | elecciones votar votación voto | élection voter | 选举 投票
  represent representative | vertreten vertreter vertreterin vertretung | representar representante | représenter représentant | 代表
  substitute | aushilfe vertretung | sustituto suplente | remplaçant suppléant | 代替 替补
  rely depend | abhängen verlassen | depender | dépendre | 依靠 取决
  require necessary necessity | nötig notwendig erforderlich benötigen | necesario necesidad requerir | nécessaire nécessité | 必要 需要
  try attempt | versuchen versuch ausprobieren versucht | intentar intento | tentative tenter essayer | 尝试 试图
  achieve reach achievement | erreichen erreicht leistung | alcanzar conseguir | atteindre accomplir | 达到 实现
  solve resolve | lösen gelöst beheben behoben | resolver solucionar resuelto | résoudre résolu | 解决
  cause trigger | verursachen auslösen verursacht ausgelöst | provocar causar | provoquer déclencher | 导致 引起 触发
  happen occur | passieren ereignen | ocurrir suceder | arriver | 发生
  appear appearance | erscheinen aussehen | aparecer apariencia aspecto | apparaître apparence aspect | 出现 外观
  disappear missing vanish | verschwinden verschwunden vermisst fehlt | desaparecer desaparecido faltar | disparaître disparu manquant manquer | 消失 失踪
  exist existence | existieren existenz | existir existencia | exister existence | 存在
  contain include | enthalten beinhalten | contener incluir | contenir inclure | 包含 包括
  exclude except exception | ausschließen ausnahme außer | excluir excepción excepto | exclure exception sauf | 除外 例外
  restrict restriction limit | beschränken einschränkung begrenzen beschränkung | limitar restringir restricción | limiter restreindre restriction | 限制
  assist assistance | unterstützen assistenz assistent | apoyar apoyo asistencia | assister assistance | 支持 协助
  care | kümmern betreuen betreuung | cuidar cuidado atender | occuper soins | 照顾 关心
  serve service | bedienen bedienung dienst dienstleistung | servir servicio | servir | 服务
  operate | bedienen betreiben betrieb | operar manejar | exploiter | 操作 运营
  execute execution | ausführen ausgeführt ausführung | ejecutar ejecución | exécuter exécution | 执行 运行
  process | verarbeiten verarbeitung bearbeiten bearbeitung bearbeitet | procesar procesamiento tramitar | traiter traitement | 处理 加工
  convert conversion transform | umwandeln umrechnen umgewandelt | convertir conversión transformar | convertir transformer conversion | 转换 转变
  interchange | austauschen ausgetauscht wechseln | sustituir | échanger | 互换
  note jot | notieren aufschreiben notiz | anotar apuntar nota apunte | noter | 记录 笔记
  imitate | nachahmen abschreiben | imitar | imiter | 模仿
  unsubscribe deregister | abmelden abmeldung abbestellen | baja | désinscrire désabonner | 注销 退订
  demand | anfordern verlangen | pedir exigir | exiger demander | 要求 请求
  beg ask | bitten gebeten bitte | rogar | prier | 请求 恳求
  provide | bereitstellen bieten bereitgestellt | proporcionar suministrar | fournir | 提供
  deserve | verdienen | merecer | mériter | 值得
  belong | gehören gehört | pertenecer | appartenir | 属于
  accommodate accommodation | unterkunft unterbringen | alojar alojamiento | héberger logement | 住宿
  return | zurückkehren rückkehr zurück | regresar regreso volver | revenir rentrer retourner | 返回 回来
  cross | überqueren | cruzar | traverser | 穿过
  approach | nähern annäherung | acercarse | approcher | 接近
  escape flee | fliehen flucht entkommen | escapar huir fuga | échapper fuir fuite | 逃跑
  chase pursue | verfolgen verfolgung | perseguir | poursuivre | 追赶
  track | nachverfolgen sendungsverfolgung | rastrear seguimiento | suivi suivre | 追踪 跟踪
  sit sat seated | sitzen setzen gesessen | sentarse sentado | asseoir assis | 坐下
  stand stood | stehen aufstehen gestanden | parado | debout | 站立
  kneel | knien | arrodillarse | agenouiller | 跪下
  crawl | kriechen krabbeln | gatear | ramper | 爬行
  fly flew flown | fliegen geflogen fliegt | volar | voler | 飞行
  float | schweben treiben | flotar | flotter | 漂浮
  sink sank sunk | sinken versinken gesunken | hundir hundirse | couler sombrer | 沉没
  drown | ertrinken ertrunken | ahogarse ahogado | noyer noyé | 溺水
  shine glow | leuchten scheinen glänzen | brillar | briller luire | 发光 闪耀
  explode explosion | explodieren explosion | explotar explosión | exploser explosion | 爆炸
  shoot shot | schießen geschossen schuss | disparar disparo | tirer | 射击
  kill murder | töten getötet mord ermordet | matar asesinar asesinato | tuer meurtre assassiner | 杀死 谋杀
  hurt harm | wehtun verletzen weh | lastimar doler herir | blesser nuire | 受伤 伤害
  bite bitten | beißen gebissen biss | morder mordedura | mordre morsure |
  sting stung | stechen gestochen stich | picar picadura | piquer piqûre | 叮咬
  lick chew swallow | lecken schlucken kauen | lamer tragar masticar | lécher avaler mâcher | 吞咽 咀嚼
  upbringing | aufziehen erziehen | criar educar | élever | 抚养
  celebrate | feiern gefeiert | celebrar festejar | célébrer fêter | 庆祝
  dare | wagen riskieren gewagt | atreverse arriesgar | oser risquer | 敢于
  cheat | schummeln betrügen mogeln | engañar trampa | tricher tromper | 作弊 欺骗
  betray betrayal | verraten verrat | traicionar traición | trahir trahison | 背叛
  ignore | ignorieren missachten | ignorar | ignorer | 忽略
  affect | betreffen auswirken | afectar | affecter toucher | 影响
  estimate | schätzen schätzung geschätzt | estimar estimación | estimer estimation | 估计
  evaluate evaluation assess assessment rate | bewerten bewertung beurteilen beurteilung | evaluar evaluación valorar valoración | évaluer évaluation noter | 评估 评价
  objection appeal | einspruch widerspruch einwand | recurso objeción apelación | opposition objection recours appel | 异议 上诉
  insult offend | beleidigen beleidigung | insultar insulto | insulter insulte | 侮辱 冒犯
  threaten threat | drohen drohung bedrohen bedrohung | amenazar amenaza | menacer menace | 威胁
  warn | warnen gewarnt | advertir avisar | avertir prévenir | 警告
  force compel | zwingen zwang gezwungen | obligar forzar | obliger forcer contraindre | 强迫 逼迫
  command | befehlen anordnen | mandar ordenar | ordonner | 命令
  obey | gehorchen | obedecer | obéir | 服从
  liberate | freilassen befreien | liberar soltar | libérer relâcher | 释放
  wander | schlendern umherziehen | vagar | errer | 闲逛
  save | abspeichern speichern gespeichert | guardar | enregistrer sauvegarder | 保存
  spread | verbreiten ausbreiten ausbreitung | propagar difundir extender | répandre propager | 传播 扩散
  surround | umgeben umzingeln | rodear | entourer | 包围
  suffer | leiden gelitten | sufrir sufrimiento | souffrir souffrance | 受苦 痛苦
  survive survival | überleben überlebt | sobrevivir supervivencia | survivre survie | 幸存 生存
  tolerate endure | ertragen aushalten dulden | soportar aguantar tolerar | supporter tolérer endurer | 忍受
  handle | behandeln umgehen | tratar | traiter | 对待 处理
  wrap pack unpack | packen einpacken auspacken gepackt | empacar envolver empaquetar | emballer | 打包 包装`
