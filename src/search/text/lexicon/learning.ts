/** School, university and science: one concept a line, with its words in English, German, Spanish, French and Chinese. */
export const learning = `
  learn learnt | lernen gelernt | aprender aprendizaje | apprendre apprentissage appris | 学习
  teach taught | lehren unterrichten unterrichtet | enseñar enseñanza | enseigner enseignement | 教学 教书
  education | bildung erziehung | educación | éducation | 教育
  study | studium studieren studiert | estudio estudiar | étude étudier | 研究 学业
  classroom | klassenzimmer klassenraum | aula | | 教室
  classmate | klassenkamerad mitschüler | | camarade | 同学
  headmaster principal headteacher | schulleiter schulleiterin rektor | director directora | directeur directrice | 校长
  professor | professor professorin | catedrático catedrática | professeur | 教授
  lecture lecturer | vorlesung vortrag dozent | conferencia ponencia | conférence conférencier | 讲座 讲课
  seminar | seminar | seminario | séminaire | 研讨会
  tutor | nachhilfe tutor | tutor tutoría | tuteur tutorat | 辅导 家教
  curriculum syllabus | lehrplan | temario | programme | 课程大纲
  subject | schulfach | asignatura materia | matière | 科目
  semester | semester halbjahr | semestre trimestre | semestre trimestre | 学期
  degree diploma | abschluss diplom | título diploma grado | diplôme | 学位 文凭
  bachelor | bachelor | grado licenciatura | | 学士 本科
  master | master | máster maestría | master | 硕士
  doctorate phd | promotion doktorarbeit doktorand | doctorado doctorando | doctorat doctorant | 博士
  thesis dissertation | abschlussarbeit dissertation | tesis | mémoire | 论文
  graduate graduation | absolvent absolvieren | graduado graduación | diplômé | 毕业 毕业生
  enrol enroll enrolment | einschreiben einschreibung immatrikulation | matrícula matricular inscribir | inscription inscrire | 报名 入学
  test quiz | test quiz | cuestionario test | quiz | 测验 小测
  essay | aufsatz | ensayo redacción | dissertation rédaction | 作文
  exercise | übung übungen | ejercicio | exercice | 练习题 习题
  textbook | lehrbuch schulbuch | | manuel | 课本 教科书
  jotter | schulheft heft | cuaderno libreta | cahier | 本子
  pen ballpoint | stift kugelschreiber füller | bolígrafo pluma | stylo | 钢笔 圆珠笔
  pencil crayon | bleistift buntstift | lápiz | crayon | 铅笔
  eraser | radiergummi | | | 橡皮
  chalk | kreide | tiza | craie | 粉笔
  blackboard whiteboard | wandtafel tafel | pizarra | | 黑板 白板
  satchel schoolbag | schulranzen ranzen schultasche | mochila | cartable | 书包
  dictionary | wörterbuch | diccionario | dictionnaire | 词典 字典
  encyclopedia | lexikon enzyklopädie | enciclopedia | encyclopédie | 百科
  translation translate translator | übersetzung übersetzen übersetzer übersetzt | traducción traducir traductor | traduction traduire traducteur | 翻译
  interpreter | dolmetscher dolmetscherin | intérprete | interprète | 口译
  grammar | grammatik | gramática | grammaire | 语法
  vocabulary | wortschatz vokabel vokabeln | vocabulario | vocabulaire | 词汇 单词
  spelling | rechtschreibung buchstabieren | ortografía deletrear | orthographe épeler | 拼写
  pronunciation pronounce | aussprache aussprechen | pronunciación pronunciar | prononciation prononcer | 发音
  accent | akzent | acento | | 口音
  letter alphabet | buchstabe buchstaben alphabet | letra alfabeto | alphabet | 字母
  word | wort wörter | palabra | mot | 词语 单词
  sentence phrase | satz | frase oración | phrase | 句子
  paragraph | absatz | párrafo | paragraphe | 段落
  text | text | texto | texte | 文本 课文
  mathematics maths | mathematik mathe | matemáticas | mathématiques maths | 数学
  arithmetic calculate calculation | rechnen berechnen berechnung | calcular cálculo | calculer calcul | 计算
  calculator | taschenrechner | calculadora | calculatrice | 计算器
  equation formula | gleichung formel | ecuación fórmula | équation formule | 公式 方程
  geometry | geometrie | geometría | géométrie | 几何
  fraction | bruchzahl | fracción | fraction | 分数
  probability | wahrscheinlichkeit | probabilidad | probabilité | 概率
  physics | physik | física | | 物理
  chemistry chemical | chemie chemisch chemikalie | química químico | chimie chimique | 化学
  biology biological | biologie biologisch | biología biológico | biologie biologique | 生物学
  geography | geografie erdkunde | geografía | géographie | 地理
  history historical | geschichte historisch | historia histórico | histoire historique | 历史
  philosophy | philosophie | filosofía | philosophie | 哲学
  literature | literatur | literatura | littérature | 文学
  astronomy astronomer | astronomie sternwarte | astronomía | astronomie | 天文
  geology | geologie | geología | géologie | 地质
  archaeology archaeologist | archäologie archäologe | arqueología arqueólogo | archéologie archéologue | 考古
  informatics | informatik | informática | informatique | 计算机科学
  science scientific | wissenschaft wissenschaftlich naturwissenschaft | ciencia científico | science scientifique | 科学
  scientist researcher | wissenschaftler wissenschaftlerin forscher | científico científica investigador | chercheur scientifique | 科学家 研究员
  research | forschung forschen | investigación investigar | recherche | 科研 研究
  laboratory lab | labor laboratorium | laboratorio | laboratoire labo | 实验室
  experiment | experiment versuch | experimento | expérience | 实验
  hypothesis | hypothese | hipótesis | hypothèse | 假设
  theory | theorie | teoría | théorie | 理论
  method | methode verfahren | método | méthode | 方法
  result outcome | ergebnis ergebnisse resultat | resultado | résultat | 结果
  conclusion conclude | schlussfolgerung fazit | conclusión concluir | conclusion conclure | 结论
  observation observe | beobachtung beobachten beobachtet | observación observar | observation observer | 观察
  microscope | mikroskop | microscopio | microscope | 显微镜
  specimen | probe präparat | espécimen | spécimen | 标本
  pipette | pipette | pipeta | pipette | 移液管
  vial flask | kolben reagenzglas | probeta matraz | éprouvette fiole | 试管 烧瓶
  reagent | reagenz | reactivo | réactif | 试剂
  solvent | lösungsmittel | disolvente | solvant | 溶剂
  acid acidic | säure | ácido | acide | 酸性
  reaction react | reaktion reagieren | reacción reaccionar | réaction réagir | 反应
  molecule atom | molekül atom | molécula átomo | molécule atome | 分子 原子
  cell | zelle zellen | célula | cellule | 细胞
  gene genetic dna | gen genetisch | gen genético | gène génétique | 基因 遗传
  bacteria bacterium germ | bakterie bakterien keim | bacteria germen | bactérie microbe germe | 细菌
  enzyme | enzym | enzima | enzyme | 酶
  oxygen | sauerstoff | oxígeno | oxygène | 氧气
  hydrogen | wasserstoff | hidrógeno | hydrogène | 氢气
  nitrogen | stickstoff | nitrógeno | azote | 氮气
  carbon | kohlenstoff | carbono | carbone | 碳
  radiation radioactive | strahlung radioaktiv | radiación radiactivo | rayonnement radioactif radiation | 辐射
  magnet magnetic | magnet magnetisch | imán magnético | aimant magnétique | 磁铁 磁性
  laser | laser | láser | laser | 激光
  gravity | schwerkraft gravitation | gravedad | gravité pesanteur | 重力 引力
  force | kraft | fuerza | | 力量
  pressure | druck | presión | pression | 压强 气压
  density | dichte | densidad | densité | 密度
  evolution | evolution | evolución | évolution | 进化
  species | spezies | especie | espèce | 物种
  fossil dinosaur | fossil dinosaurier | fósil dinosaurio | fossile dinosaure | 化石 恐龙
  invention invent inventor | erfindung erfinden erfinder erfunden | invento inventar inventor | invention inventer inventeur | 发明
  knowledge | kenntnis kenntnisse wissen | conocimiento | connaissance savoir | 知识
  skill ability | fähigkeit fertigkeit können | habilidad capacidad destreza | compétence capacité aptitude | 技能 能力
  talent gifted | talent begabung begabt | talento dotado | talent doué | 才能 天赋
  intelligence intelligent clever smart | intelligenz intelligent klug schlau | inteligencia inteligente listo | intelligence intelligent malin | 聪明 智力
  stupid dumb silly | dumm blöd | tonto estúpido | bête stupide idiot | 愚蠢
  understand understood comprehension | verstehen verstanden verständnis | entender comprender comprensión | comprendre compris compréhension | 理解 明白
  explain explanation | erklären erklärung erklärt | explicar explicación | expliquer explication | 解释 说明
  example | beispiel | ejemplo | exemple | 例子
  summary summarize | zusammenfassung zusammenfassen | resumen resumir | résumé résumer | 总结 摘要
  topic theme | thema themen | tema | thème sujet | 主题 话题
  chapter | kapitel | capítulo | chapitre | 章节
  title heading | titel überschrift | título | titre | 标题
  idea | idee einfall | idea | idée | 想法 主意
  concept notion | konzept begriff | concepto noción | notion | 概念
  attend attendance | teilnehmen anwesenheit teilgenommen | asistir asistencia | assister présence | 出席 参加
  absent absence | abwesend abwesenheit | ausente ausencia | absent absence | 缺席
  repeat repetition | wiederholen wiederholung wiederholt | repetir repetición | répéter répétition | 重复
  fail failure | durchfallen scheitern durchgefallen gescheitert | fracasar fracaso suspender | échouer échec | 失败 不及格
  succeed success successful | erfolg erfolgreich gelingen gelungen | éxito lograr | réussir réussite succès | 成功
  progress improvement improve | fortschritt verbesserung verbessern verbessert | progreso mejora mejorar | progrès amélioration améliorer | 进步 改善 提高
  transcript | zeugnis | boletín | bulletin | 成绩单`
